/** What ran when it ran, by what it is called, with how often. Children whose steps are ordered are counted too: not all orders are known. */
import type { ChildRecord } from './child-record.ts';

type Ungated = Readonly<Record<string, number>>;

/** As Node lists a child process. */
const CHILD = 'ProcessWrap';
const ORDERED = 'child processes whose steps are ordered';

/** Processes are called by what they run, and those that took their steps among those of the program by one word. */
export function withNames(ungated: Ungated, children: readonly ChildRecord[]): Record<string, number> {
  const { [CHILD]: alive, ...named } = { ...ungated };
  if (alive === undefined) return named;
  const started = children.filter(({ exit }) => exit !== '');
  const names = started.map(({ name, isJudged }) => (isJudged ? ORDERED : nameOf(name)));
  if (names.length === 0) return { ...named, 'a child process': alive };
  for (const name of names) named[name] = (named[name] ?? 0) + 1;
  return named;
}

/** Without what had its steps ordered. */
export function notControlled({ [ORDERED]: _, ...others }: Ungated): Ungated {
  return others;
}

/** `child 1 (node count.js)` */
const nameOf = (name: string): string => `child process \`${/ \((.*)\)$/s.exec(name)?.[1] ?? name}\``;
