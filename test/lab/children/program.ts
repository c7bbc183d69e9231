/**
 * Random programs of processes that share files: what each does, one call behind the other, each of which the system does as a whole; and,
 * played on a model, what can come of it when they go on in any order.
 */
import { generator } from '../../../data/generator.ts';

export type Call =
  | { readonly kind: 'write' | 'append' | 'create'; readonly file: string; readonly text: string }
  | { readonly kind: 'read' | 'exists' | 'remove'; readonly file: string }
  | { readonly kind: 'rename'; readonly file: string; readonly to: string };

/** What a process did, and what came of each call: a text, or the code of an error. */
export type Told = readonly string[];

export interface ChildrenProgram {
  readonly seed: number;
  /** What the program itself does before it starts the children, beside them, and once it has heard of their ends. */
  readonly before: readonly Call[];
  readonly beside: readonly Call[];
  readonly behind: readonly Call[];
  readonly children: readonly (readonly Call[])[];
}

/** How it went: the files are read by what comes behind. */
export interface Outcome {
  readonly beside: Told;
  readonly behind: Told;
  readonly children: readonly Told[];
}

const FILES = ['a', 'b'];
const KINDS = ['write', 'append', 'create', 'read', 'read', 'exists', 'remove', 'rename'] as const;

/** Every other one has one child, which meets the program alone. */
export function childrenProgram(seed: number): ChildrenProgram {
  const random = generator(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  let n = 0;
  const call = (): Call => {
    const [kind, file] = [pick(KINDS), pick(FILES)];
    if (kind === 'rename') return { kind, file, to: file === 'a' ? 'b' : 'a' };
    if (kind === 'write' || kind === 'append' || kind === 'create') return { kind, file, text: String(++n) };
    return { kind, file };
  };
  const calls = (least: number, most: number): Call[] =>
    Array.from({ length: least + Math.floor(random() * (most - least + 1)) }, call);
  const isAlone = seed % 2 === 0;
  return {
    seed,
    before: calls(0, 2),
    children: isAlone ? [calls(2, 4)] : [calls(2, 3), calls(2, 3)],
    beside: isAlone ? calls(1, 4) : calls(0, 2),
    behind: FILES.map((file) => ({ kind: 'read', file })),
  };
}

type Files = ReadonlyMap<string, string>;

/** What the system makes of one call. */
export function played(files: Files, call: Call): { readonly files: Files; readonly told: string } {
  const here = files.get(call.file);
  const without = (): Map<string, string> => new Map([...files].filter(([name]) => name !== call.file));
  switch (call.kind) {
    case 'write':
      return { files: without().set(call.file, call.text), told: 'ok' };
    case 'append':
      return { files: without().set(call.file, `${here ?? ''}${call.text}`), told: 'ok' };
    case 'create':
      return here === undefined
        ? { files: without().set(call.file, call.text), told: 'ok' }
        : { files, told: 'EEXIST' };
    case 'exists':
      return { files, told: String(here !== undefined) };
    default:
      if (here === undefined) return { files, told: 'ENOENT' };
      if (call.kind === 'read') return { files, told: here };
      return { files: call.kind === 'rename' ? without().set(call.to, here) : without(), told: 'ok' };
  }
}

function inSequence(files: Files, calls: readonly Call[]): { readonly files: Files; readonly told: Told } {
  let now = files;
  const told = calls.map((call) => {
    const step = played(now, call);
    now = step.files;
    return step.told;
  });
  return { files: now, told };
}

/** Every outcome that processes can show, spelled out. */
export function outcomesOf({ before, beside, behind, children }: ChildrenProgram): ReadonlySet<string> {
  const found = new Set<string>();
  const all = [...children, beside];
  const go = (files: Files, told: readonly Told[]): void => {
    let isOver = true;
    for (const [who, calls] of all.entries()) {
      const next = calls[told[who]!.length];
      if (!next) continue;
      isOver = false;
      const step = played(files, next);
      go(
        step.files,
        told.map((own, i) => (i === who ? [...own, step.told] : own)),
      );
    }
    if (!isOver) return;
    const of = { children: told.slice(0, -1), beside: told.at(-1)!, behind: inSequence(files, behind).told };
    found.add(spelled(of));
  };
  go(
    inSequence(new Map(), before).files,
    all.map(() => []),
  );
  return found;
}

export const spelled = ({ children, beside, behind }: Outcome): string =>
  JSON.stringify([...children, beside, behind]);
