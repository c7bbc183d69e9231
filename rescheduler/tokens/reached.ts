/**
 * Orders in which threads come to share what they do not in the observed one, as where a thread looks into shared memory only
 * when it hears of something in time, or another one of a pool gets the work. Nothing about that can be predicted from the observed
 * order; from such an order it can.
 */
import { contendedEntities } from '../../data/threads/shared.ts';
import { withoutTasks } from '../../data/threads/tasks.ts';
import { isAccess, type ThreadTrace } from '../../data/threads/trace.ts';
import type { Tried } from '../investigate/attempt.ts';

export interface ReachedOrder {
  readonly trace: ThreadTrace;
  /** What is shared in it for the first time, or with another thread, by name. */
  readonly fresh: ReadonlySet<string>;
}

/** So many orders are gone on from. */
const MOST_TAKEN = 3;

export class ReachedEntities {
  private taken = 0;
  private readonly threads: readonly string[];
  private readonly known: Set<string>;

  constructor(observed: ThreadTrace) {
    const own = withoutTasks(observed);
    this.threads = own.names.threads;
    this.known = new Set(shares(own).keys());
  }

  /** Null: nothing new is shared in a run, or it did not pass, and is told already. */
  look({ outcome, threads: trace }: Pick<Tried, 'outcome' | 'threads'>): ReachedOrder | null {
    if (outcome !== 'pass' || !trace || this.taken >= MOST_TAKEN) return null;
    const { threads } = trace.names;
    // An order is spelt with the threads of the observed one.
    if (threads.some((name, at) => name !== this.threads[at])) return null;
    const all = shares(trace);
    const fresh = new Set([...all].flatMap(([share, entity]) => (this.known.has(share) ? [] : [entity])));
    if (fresh.size === 0) return null;
    for (const share of all.keys()) this.known.add(share);
    this.taken += 1;
    return { trace, fresh };
  }
}

/** Who shares what: each thread with each entity that it shares with others, and the name of that. */
function shares({ events, names }: ThreadTrace): Map<string, string> {
  const contended = contendedEntities(events);
  const found = new Map<string, string>();
  for (let at = 0; at < events.length; at++) {
    const entity = events.object[at]!;
    if (!isAccess(events.op[at]!) || !contended.has(entity)) continue;
    const name = names.entities[entity]!;
    found.set(`${names.threads[events.thread[at]!]}\n${name}`, name);
  }
  return found;
}
