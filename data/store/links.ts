/** What the tables of a trace say of each other: a damaged store may point anywhere, or in circles. */
import type { Trace } from '../trace.ts';

type LinkTables = Pick<Trace, 'activations' | 'requests' | 'locks' | 'conditions' | 'jobs'>;

/** The first link that leads nowhere or back to where it began; null if all are sound. */
export function strayLink(tables: LinkTables): string | null {
  const { activations, conditions, jobs, requests } = tables;
  const isIn = (index: number, table: keyof LinkTables): boolean =>
    index >= 0 && index < tables[table].length;
  const isInOrNone = (index: number, table: keyof LinkTables): boolean => index === -1 || isIn(index, table);
  for (const { id, parent, cause } of activations)
    if (!isInOrNone(parent, 'activations') || !isInOrNone(cause, 'requests'))
      return `activation ${id} has parent ${parent} and cause ${cause}`;
  for (const { id, activation } of requests)
    if (!isInOrNone(activation, 'activations')) return `request ${id} has activation ${activation}`;
  for (const { id, activation, condition } of jobs)
    if (!isInOrNone(activation, 'activations') || !isIn(condition, 'conditions'))
      return `job ${id} has activation ${activation} and condition ${condition}`;
  for (const [at, condition] of conditions.entries()) {
    const isSound =
      condition.kind === 'delivery'
        ? isIn(condition.request, 'requests')
        : condition.kind === 'job'
          ? isIn(condition.job, 'jobs')
          : condition.kind === 'lock'
            ? isIn(condition.lock, 'locks')
            : !('of' in condition) || condition.of.every((member) => isIn(member, 'conditions'));
    if (!isSound) return `condition ${at} points outside the tables`;
  }
  if (hasCircle(activations.length, (id) => [activations[id]!.parent].filter((parent) => parent >= 0)))
    return 'activations are their own ancestors';
  const members = (at: number): readonly number[] => {
    const condition = conditions[at]!;
    return 'of' in condition ? condition.of : [];
  };
  return hasCircle(conditions.length, members) ? 'conditions wait for themselves' : null;
}

/** Depth-first, without recursion: chains are long. */
function hasCircle(count: number, next: (node: number) => readonly number[]): boolean {
  const [unseen, open, closed] = [0, 1, 2];
  const state = new Uint8Array(count);
  for (let root = 0; root < count; root++) {
    if (state[root] !== unseen) continue;
    const path = [{ node: root, rest: next(root).values() }];
    state[root] = open;
    for (let top = path.at(-1); top; top = path.at(-1)) {
      const { value, done } = top.rest.next();
      if (done) {
        state[top.node] = closed;
        path.pop();
      } else if (state[value] === open) return true;
      else if (state[value] === unseen) {
        state[value] = open;
        path.push({ node: value, rest: next(value).values() });
      }
    }
  }
  return false;
}
