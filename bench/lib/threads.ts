/**
 * Generated traces of threads, chunk by chunk: threads run methods, each a transaction with its own nested
 * template of locks and its own few entities, some private to the thread and some shared. What is distinct in
 * such a trace is bounded, as it is by the text of a program.
 */
import { Op, type ThreadEvents } from '../../data/threads/trace.ts';

export interface Shape {
  readonly threads: number;
  readonly entities: number;
  readonly locks: number;
  readonly methods: number;
  /** Most locks held at once. */
  readonly depth: number;
  /** Acquires follow no template and releases no order. */
  readonly unstructured?: boolean;
  /** How many entities a statement touches, over time. */
  readonly spread: number;
  /** Most events of a thread before another one goes on. */
  readonly burst: number;
}

const CHUNK = 1 << 16;
/** Program points of each method are numbered below this, all methods together. */
export const POINTS_PER_METHOD = 17 + 32;

/** One per thread. */
interface Runner {
  readonly held: number[];
  inside: boolean;
  method: number;
  left: number;
}

/** The same events for the same shape; each chunk is overwritten by the next. */
export function* generatedThreads(length: number, shape: Shape): Generator<ThreadEvents> {
  const { threads, entities, locks, methods, depth, unstructured, burst, spread } = shape;
  let seed = 1;
  const random = (below: number): number => {
    seed ^= seed << 13;
    seed ^= seed >>> 17;
    seed ^= seed << 5;
    return (seed >>> 0) % below;
  };
  const templates = Array.from({ length: methods }, () => {
    const template = new Set<number>();
    for (let wanted = random(depth + 1); template.size < wanted; ) template.add(random(locks));
    return [...template].sort((a, b) => a - b);
  });
  const owner = new Int16Array(locks).fill(-1);
  const runners = Array.from(
    { length: threads },
    (): Runner => ({ held: [], inside: false, method: 0, left: 0 }),
  );
  const half = entities >> 1;
  const own = Math.max(1, Math.floor(half / threads));
  const op = new Uint8Array(CHUNK);
  const thread = new Uint16Array(CHUNK);
  const object = new Int32Array(CHUNK);
  const point = new Int32Array(CHUNK);
  let current = 0;
  let stay = 0;
  for (let made = 0; made < length; ) {
    let at = 0;
    for (const end = Math.min(CHUNK, length - made); at < end; ) {
      if (stay-- <= 0) {
        current = random(threads);
        stay = 1 + random(burst);
      }
      const runner = runners[current]!;
      const { held, method } = runner;
      const dice = random(100);
      let target = -1;
      if (!runner.inside) {
        runner.inside = true;
        runner.method = random(methods);
        runner.left = 20 + random(40);
        op[at] = Op.Begin;
        point[at] = runner.method;
      } else if (runner.left-- <= 0 && held.length === 0) {
        runner.inside = false;
        op[at] = Op.End;
        point[at] = method;
      } else if (
        dice < 10 &&
        runner.left > 0 &&
        held.length < (unstructured ? depth : templates[method]!.length)
      ) {
        target = unstructured ? random(locks) : templates[method]![held.length]!;
        if (owner[target] !== -1) {
          stay = 0;
          continue;
        }
        owner[target] = current;
        held.push(target);
        op[at] = Op.Acquire;
        point[at] = methods + method * 8 + held.length;
      } else if ((dice < 22 || runner.left <= 0) && held.length > 0) {
        [target] = held.splice(unstructured ? random(held.length) : -1, 1) as [number];
        owner[target] = -1;
        op[at] = Op.Release;
        point[at] = methods * 9 + method * 8 + held.length;
      } else {
        // A statement of the method: it reads or writes one of some entities, private or shared.
        const statement = random(16);
        const one = random(spread);
        target =
          statement < 10
            ? current * own + ((method * 16 + statement * 3 + one) % own)
            : half + ((method * 97 + statement * 11 + one) % (entities - half));
        op[at] = random(4) === 0 ? Op.Write : Op.Read;
        point[at] = methods * 17 + method * 32 + statement * 2 + op[at]!;
      }
      thread[at] = current;
      object[at] = target;
      at++;
    }
    made += at;
    yield {
      length: at,
      op: op.subarray(0, at),
      thread: thread.subarray(0, at),
      object: object.subarray(0, at),
      point: point.subarray(0, at),
    };
  }
}
