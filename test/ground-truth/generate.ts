/**
 * Random small async programs: 2-4 tasks of 3-8 suspensions over every way of waiting that the event loop
 * offers. Control flow is straight, so that what a program does depends on the order of its turns alone.
 */
import { generator } from '../../data/generator.ts';

export interface GeneratedProgram {
  readonly seed: number;
  /** Text of one async function `(s, io) => void` per task. */
  readonly source: string;
  readonly tasks: number;
}

/** What a program may call; see `run.ts` for what they do. */
const FIELDS = ['a', 'b'] as const;

export function generate(seed: number): GeneratedProgram {
  const random = generator(seed);
  const int = (n: number): number => Math.floor(random() * n);
  const pick = <T>(list: readonly T[]): T => list[int(list.length)] as T;
  const tasks = pick([2, 2, 2, 2, 3, 3, 4]);
  const lines: string[] = [];
  const signals = int(3) === 0 ? 1 : 0;

  const access = (): string => {
    const field = pick(FIELDS);
    return random() < 0.5 ? `use(s.${field});` : `s.${field} = ${int(9)};`;
  };
  const leaf = (): string =>
    pick([
      () => 'io.stat()',
      () => 'io.stat()',
      () => `io.sleep(${pick([1, 2, 5])})`,
      () => `io.sleep(${pick([1, 3])})`,
      () => 'io.immediate()',
      () => 'Promise.resolve()',
    ])();
  const wait = (task: number, depth: number): string => {
    switch (int(depth > 0 ? 11 : 5)) {
      case 5:
        return `await Promise.all([${leaf()}, ${leaf()}]);`;
      case 6:
        return `await Promise.race([${leaf()}, ${leaf()}]);`;
      case 7:
        return `await s.mutex.runExclusive(async () => {\n${access()}\nawait ${leaf()};\n${access()}\n});`;
      case 8:
        return `await s.limit(async () => {\n${access()}\nawait ${leaf()};\n});`;
      case 9:
        return `await (async () => {\n${access()}\nawait ${leaf()};\n${access()}\n})();`;
      case 10:
        // Task 0 opens the signal, others wait for it: an emitter across tasks.
        if (signals === 0) return `await ${leaf()};`;
        return task === 0 ? `s.signal.open();` : `await s.signal.wait();`;
      default:
        return `await ${leaf()};`;
    }
  };
  for (let task = 0; task < tasks; task++) {
    const suspensions = tasks === 2 ? 2 + int(4) : 1 + int(3);
    lines.push(`async function t${task}(s, io) {`);
    for (let i = 0; i < suspensions; i++) {
      lines.push(access(), wait(task, 1));
      if (random() < 0.4) lines.push(access());
    }
    lines.push(access());
    if (signals > 0 && task === 0) lines.push('s.signal.open();');
    lines.push('}');
  }
  return { seed, source: lines.join('\n'), tasks };
}
