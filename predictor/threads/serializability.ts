/**
 * Conflict serializability of a sequence of events: whether its transactions could have run one after the other
 * with every pair of conflicting accesses (one entity, at least one write) in the same order. An access outside
 * is a transaction of its own. Linear in the events: an access is compared with the last write and the reads
 * since, which imply the rest.
 */
import { isAccess, Op, type ThreadEvents } from '../../data/threads/trace.ts';
import { transactionsOf } from './occurrences.ts';

/** A transaction: the events of `order` that belong to it, by event index. */
export type EventsOfTransaction = readonly number[];

/** Transactions each of which conflicts with the next, and the last with the first; null if serializable. */
export function conflictCycle(
  events: ThreadEvents,
  order: ArrayLike<number>,
): readonly EventsOfTransaction[] | null {
  const blocks = transactionsOf(events);
  const members: number[][] = [];
  const successors: Set<number>[] = [];
  const ofBlock = new Map<number, number>();
  const lastOfThread = new Map<number, number>();
  const lastWrite = new Map<number, number>();
  const readers = new Map<number, Set<number>>();
  const link = (from: number | undefined, to: number): void => {
    if (from !== undefined && from !== to) successors[from]!.add(to);
  };
  const transactionOf = (event: number): number => {
    const block = blocks[event]!;
    const known = block < 0 ? undefined : ofBlock.get(block);
    if (known !== undefined) return known;
    const fresh = members.push([]) - 1;
    successors.push(new Set());
    if (block >= 0) ofBlock.set(block, fresh);
    return fresh;
  };
  for (let at = 0; at < order.length; at++) {
    const event = order[at]!;
    if (!isAccess(events.op[event]!)) continue;
    const node = transactionOf(event);
    const entity = events.object[event]!;
    const thread = events.thread[event]!;
    members[node]!.push(event);
    link(lastOfThread.get(thread), node);
    lastOfThread.set(thread, node);
    link(lastWrite.get(entity), node);
    if (events.op[event] === Op.Read) {
      if (!readers.has(entity)) readers.set(entity, new Set());
      readers.get(entity)!.add(node);
    } else {
      for (const reader of readers.get(entity) ?? []) link(reader, node);
      readers.delete(entity);
      lastWrite.set(entity, node);
    }
  }
  const cycle = cycleIn(successors);
  return cycle?.map((node) => members[node]!) ?? null;
}

/** Some cycle of a graph, or null. Depth-first, without recursion: chains of transactions are long. */
function cycleIn(successors: readonly ReadonlySet<number>[]): number[] | null {
  const state = new Uint8Array(successors.length);
  const [unseen, open, closed] = [0, 1, 2];
  for (let root = 0; root < successors.length; root++) {
    if (state[root] !== unseen) continue;
    const path = [root];
    const rest = [successors[root]!.values()];
    state[root] = open;
    while (path.length > 0) {
      const next = rest.at(-1)!.next();
      if (next.done) {
        state[path.pop()!] = closed;
        rest.pop();
      } else if (state[next.value] === open) return path.slice(path.indexOf(next.value));
      else if (state[next.value] === unseen) {
        state[next.value] = open;
        path.push(next.value);
        rest.push(successors[next.value]!.values());
      }
    }
  }
  return null;
}
