/**
 * What an executed order shows and the observed one does not: triples of accesses that no serial order explains. They
 * tell a failure that no prediction led to, because its program took another way (a check that now succeeds twice).
 */
import { isAccess, type ThreadTrace } from '../../data/threads/trace.ts';
import { SHAPES } from '../rank.ts';
import { type Occurrence, patternOf, transactionsOf } from './occurrences.ts';

/** Occurrences in the order in which `failing` was executed, absent from `natural`, the most telling first. */
export function shownOnlyBy(failing: ThreadTrace, natural: ThreadTrace): Occurrence[] {
  const usual = new Set(executed(natural).keys());
  const telling = ({ first, remote, second, pattern }: Occurrence): number => {
    const { point } = failing.events;
    return 2 * SHAPES[pattern][0] + Number(point[remote] === point[first] || point[remote] === point[second]);
  };
  return [...executed(failing)]
    .filter(([key]) => !usual.has(key))
    .map(([, occurrence]) => occurrence)
    .sort((a, b) => telling(b) - telling(a));
}

/**
 * One occurrence of each kind (names of threads, places, entity, pattern) that happened as it stands: the remote
 * access between two of one transaction that follow each other.
 */
function executed(trace: ThreadTrace): Map<string, Occurrence> {
  const { events, names } = trace;
  const { length, object, op, point, thread } = events;
  const transaction = transactionsOf(events);
  const found = new Map<string, Occurrence>();
  const nameOf = (event: number) => [names.threads[thread[event]!], names.points[point[event]!], op[event]];
  /**
   * By entity: accesses of transactions that may still get their second one, and what came after each. `closed`: the second one that
   * it got; the operation of which that is part may go on, as one does that reads and writes.
   */
  const open = new Map<number, { readonly first: number; remotes: number[]; closed: number | null }[]>();
  for (let i = 0; i < length; i++) {
    if (!isAccess(op[i]!)) continue;
    const entity = object[i]!;
    const pending = open.get(entity) ?? [];
    const left = pending.filter((one) => {
      const { closed, first, remotes } = one;
      if (thread[first] !== thread[i]) {
        if (closed !== null) return false;
        // One read and one write tell all that others did in between.
        if (!remotes.some((other) => op[other] === op[i])) remotes.push(i);
        return true;
      }
      if (transaction[first] !== transaction[i]) return false;
      if (closed !== null && point[closed] !== point[i]) return false;
      for (const remote of remotes) {
        const pattern = patternOf(events, first, remote, i);
        if (!pattern) continue;
        const key = JSON.stringify([pattern, names.entities[entity], ...[first, remote, i].map(nameOf)]);
        if (!found.has(key)) found.set(key, { pattern, entity, first, remote, second: i });
      }
      one.closed = i;
      return remotes.length > 0;
    });
    if (transaction[i]! >= 0) left.push({ first: i, remotes: [], closed: null });
    open.set(entity, left);
  }
  return found;
}
