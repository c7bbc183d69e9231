/**
 * Orders in which threads come to share what they do not in the observed one, as where a thread looks into shared memory only
 * when it hears of something in time. Nothing about that can be predicted from the observed order; from such an order it can.
 */
import { contendedEntities } from '../../data/threads/shared.ts';
import { withoutTasks } from '../../data/threads/tasks.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import type { Tried } from '../investigate/attempt.ts';

export interface ReachedOrder {
  readonly trace: ThreadTrace;
  /** What is shared in it for the first time, by name. */
  readonly fresh: ReadonlySet<string>;
}

/** So many orders are gone on from. */
const MOST_TAKEN = 3;

export class ReachedEntities {
  private taken = 0;
  private readonly threads: readonly string[];
  /** By name. */
  private readonly known: Set<string>;

  constructor(observed: ThreadTrace) {
    const { events, names } = withoutTasks(observed);
    this.threads = names.threads;
    this.known = new Set([...contendedEntities(events)].map((entity) => names.entities[entity]!));
  }

  /** Null: nothing new is shared in a run, or it did not pass, and is told already. */
  look({ outcome, threads: trace }: Pick<Tried, 'outcome' | 'threads'>): ReachedOrder | null {
    if (outcome !== 'pass' || !trace || this.taken >= MOST_TAKEN) return null;
    const { entities, threads } = trace.names;
    // An order is spelt with the threads of the observed one.
    if (threads.some((name, at) => name !== this.threads[at])) return null;
    const contended = [...contendedEntities(trace.events)].map((entity) => entities[entity]!);
    const fresh = new Set(contended).difference(this.known);
    if (fresh.size === 0) return null;
    for (const name of fresh) this.known.add(name);
    this.taken += 1;
    return { trace, fresh };
  }
}
