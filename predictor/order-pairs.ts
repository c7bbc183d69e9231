/**
 * Two accesses of different tasks that no cause orders, to come in the other order: the order violations (Lu et al., ASPLOS 2008), of which
 * no triple tells. Who comes early waits in a queue, who comes late finds the gate open; each of them accesses it once.
 */
import { EventKind } from '../data/trace.ts';
import { type Candidate, NOTHING, sharedAccesses } from './candidates.ts';
import type { Causality } from './causality.ts';
import { hostSteps } from './host-steps.ts';
import type { Program } from './program.ts';
import { isFolder, isUnread, isUpdate } from './rank.ts';
import type { Transactions } from './transactions.ts';

/** So many accesses to one entity behind each are compared with it. */
const WINDOW = 40;
/** So many accesses are compared in one run, and so many pairs of one test are looked at. */
const MOST_COMPARED = 1_000_000;
const MOST = 48;

/**
 * The pairs that none of `found` turns round, nearest first: `second` of each naturally comes before its `remote`. Of those that one place in the program has, one.
 */
export function orderPairs(
  { nodeOf, trace }: Program,
  { before }: Causality,
  tx: Transactions,
  found: Iterable<Candidate>,
): Candidate[] {
  const { activation, kind, object, site } = trace.events;
  const steps = hostSteps(trace);
  const pointOf = (event: number): string => `${kind[event]} ${site[event]} ${steps.get(event) ?? ''}`;
  const nameOf = (event: number): string => trace.entities[object[event] as number]?.name ?? '';
  const strandOf = (event: number): number => tx.strandOf(activation[event] as number);
  // Of two runs of one function it matters which one comes last.
  const keyOf = (event: number, other: number): string =>
    `${nameOf(event)}|${pointOf(event)}|${pointOf(other)}|${strandOf(event) < strandOf(other)}`;
  const turned = new Set<string>();
  for (const { first, remote, second } of found)
    turned.add(remote > second ? keyOf(remote, second) : keyOf(first, remote));
  const isCount = (event: number): boolean => isUpdate(trace, event);
  const pairs = new Map<string, Candidate>();
  const ofTurns = new Set<string>();
  let compared = 0;
  for (const accesses of sharedAccesses(trace, tx)) {
    const name = nameOf(accesses[0]!);
    if (compared >= MOST_COMPARED) break;
    if (isFolder(name)) continue;
    let unread: boolean | undefined;
    for (const [at, second] of accesses.entries()) {
      if (unread) break;
      for (const remote of accesses.slice(at + 1, at + 1 + WINDOW)) {
        compared += 1;
        const isRead = kind[second] === EventKind.Read && kind[remote] === EventKind.Read;
        // What only counts on comes to the same in either order.
        if (isRead || (isCount(second) && isCount(remote)) || strandOf(second) === strandOf(remote)) continue;
        const group = keyOf(remote, second);
        const turns = `${nodeOf[remote]} ${nodeOf[second]}`;
        if (turned.has(group) || ofTurns.has(turns) || before(second, remote)) continue;
        if ((unread ??= isUnread(trace, name))) break;
        const known = pairs.get(group);
        if (known && known.remote - known.second <= remote - second) continue;
        ofTurns.add(turns);
        const entity = object[second] as number;
        const of = { entity, transaction: -1, group, isPair: true } as const;
        pairs.set(group, { ...of, pattern: 'RRW', first: NOTHING, remote, second });
      }
    }
  }
  const span = ({ remote, second }: Candidate): number => remote - second;
  return [...pairs.values()].sort((a, b) => span(a) - span(b)).slice(0, MOST);
}
