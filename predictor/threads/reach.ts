/**
 * Whether an occurrence can be reached, whether its second access can really run after the remote one, and
 * the schedule that shows it.
 *
 * *Reachable*: some order of events, each thread going on as it was observed, executes `first`, then
 * `remote`, and has not executed `second`. Which values are read does not matter (Penelope §3: values are
 * not observed); control may go another way only after the remote access, where the schedule ends.
 * *Completes*: some order executes first, then remote, then second.
 */
import { DEFAULT_BUDGET, Decider, type Decision, type ThreadBounds } from './decide.ts';
import { eventsAt } from './linearise.ts';
import type { Occurrence } from './occurrences.ts';
import type { Extra } from './order.ts';
import type { Skeleton } from './skeleton.ts';

type OccurrenceTriple = Pick<Occurrence, 'first' | 'remote' | 'second'>;

export interface Reached {
  readonly completes: boolean;
  /** Event indices in execution order; ends with the second access where it completes, else with the remote. */
  readonly schedule: Int32Array;
}

export class Reach {
  private readonly skeleton: Skeleton;
  private readonly decider: Decider;
  /** Accesses between the same nodes commute: they share their answers. */
  private readonly known = new Map<string, Decision>();

  constructor(skeleton: Skeleton, budget = DEFAULT_BUDGET) {
    this.skeleton = skeleton;
    this.decider = new Decider(skeleton, budget);
  }

  /** Null: unreachable. A completion that is undecided makes all of it undecided. */
  reach(triple: OccurrenceTriple): Reached | 'undecided' | null {
    const completion = this.decide(triple, true);
    if (completion === 'undecided') return 'undecided';
    const completes = completion !== 'unreachable';
    const decision = completes ? completion : this.decide(triple, false);
    if (typeof decision === 'string') return decision === 'undecided' ? decision : null;
    const schedule = this.schedule(triple, decision.cut, completes);
    return schedule ? { completes, schedule } : 'undecided';
  }

  /** Of one question: the nodes that each thread does, or why there is no answer. */
  decide(triple: OccurrenceTriple, completes: boolean): Decision {
    const { interval, trace } = this.skeleton;
    const { first, remote, second } = triple;
    const key = [
      completes,
      trace.events.thread[first],
      interval[first],
      interval[second],
      trace.events.thread[remote],
      interval[remote],
    ].join();
    let decision = this.known.get(key);
    if (decision === undefined) {
      decision = this.decider.decide(this.bounds(triple, completes));
      this.known.set(key, decision);
    }
    return decision;
  }

  private bounds({ first, remote, second }: OccurrenceTriple, completes: boolean): ThreadBounds {
    const { base, interval, threads, trace } = this.skeleton;
    const local = trace.events.thread[first]!;
    const other = trace.events.thread[remote]!;
    const least = new Int32Array(threads);
    const most = Int32Array.from({ length: threads }, (_, t) => base[t + 1]! - base[t]!);
    least[local] = interval[completes ? second : first]!;
    most[local] = interval[second]!;
    least[other] = interval[remote]!;
    if (!completes) most[other] = interval[remote]!;
    return { least, most, extra: this.extra(first, remote) };
  }

  /** First before remote, in nodes: what is before the first is before what is after the remote. */
  private extra(first: number, remote: number): Extra | null {
    const { base, interval, trace } = this.skeleton;
    const local = trace.events.thread[first]!;
    const other = trace.events.thread[remote]!;
    if (interval[first] === 0) return null;
    const after = base[other]! + interval[remote]!;
    return after < base[other + 1]! ? { before: base[local]! + interval[first]! - 1, after } : null;
  }

  private schedule(triple: OccurrenceTriple, cut: Int32Array, completes: boolean): Int32Array | null {
    const { place, trace } = this.skeleton;
    const { first, remote, second } = triple;
    const events = Array.from(cut, (count, t) => eventsAt(this.skeleton, t, count));
    for (const event of completes ? [remote, second] : [first, remote]) {
      const t = trace.events.thread[event]!;
      events[t] = Math.max(events[t]!, place[event]! + 1);
    }
    const ends = { events, first, remote, second: completes ? second : null };
    return this.decider.schedule(cut, this.extra(first, remote), ends);
  }
}
