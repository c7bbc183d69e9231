/**
 * Cut points of a trace, one of each kind: thread pair, entity, program points, pattern and class of locks at
 * the first and the remote access. `second` is the next read or the next write after `first` in the transaction.
 */
import type { Pattern, Shape } from '../../data/prediction.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { classOf, LockStates } from './lock-states.ts';
import { nearOccurrences, type Occurrence } from './occurrences.ts';
import type { Tally } from './predict-all.ts';
import { rank } from './rank.ts';
import { Reach, type Reached } from './reach.ts';
import { type Reduced, reduceSwitches } from './reduce.ts';
import { type Skeleton, skeletonOf } from './skeleton.ts';

export interface Representative<S extends Shape = Shape> extends Occurrence<S>, Reached {
  /** So many events of the trace come first, as observed; the schedules go on from there. */
  readonly observed: number;
  /** Occurrences of this kind, reachable or not. */
  readonly alike: number;
  /** `schedule` with the fewest context switches, and how many there are before and after. */
  readonly reduced: Reduced;
  /** Higher is tried earlier. */
  readonly rank: number;
  readonly reasons: readonly string[];
}

/** One reachable occurrence of each kind, the most promising first. */
export const representatives = (
  trace: ThreadTrace,
  tally: Tally,
  budget?: number,
): Representative<Pattern>[] => representativesOf(nearOccurrences(trace.events), trace, tally, budget);

/** The same for other triples. */
export function representativesOf<S extends Shape>(
  triples: Iterable<Occurrence<S>>,
  trace: ThreadTrace,
  tally: Tally,
  budget?: number,
): Representative<S>[] {
  const skeleton = skeletonOf(trace);
  const reach = new Reach(skeleton, budget);
  const kindOf = kinds(skeleton);
  const found = new Map<string, { occurrence: Occurrence<S>; reached: Reached | null; alike: number }>();
  for (const occurrence of triples) {
    const kind = kindOf(occurrence);
    const known = found.get(kind);
    if (known) known.alike += 1;
    if (known?.reached) continue;
    tally.triples += 1;
    const reached = reach.reach(occurrence);
    if (reached === 'undecided') tally.undecided += 1;
    const entry = known ?? { occurrence, reached: null, alike: 1 };
    found.set(kind, entry);
    if (reached === null || reached === 'undecided') continue;
    tally.reachable += 1;
    if (reached.completes) tally.completing += 1;
    found.set(kind, { ...entry, occurrence, reached });
  }
  return [...found.values()]
    .flatMap(({ occurrence, reached, alike }) => {
      if (!reached) return [];
      const reduced = reduceSwitches(skeleton, reached.schedule);
      const { score, reasons } = rank(skeleton, occurrence, reached.completes, reduced.after);
      return [{ ...occurrence, ...reached, observed: 0, alike, reduced, rank: score, reasons }];
    })
    .sort((a, b) => b.rank - a.rank);
}

/** What kind of occurrence a triple is. */
function kinds(skeleton: Skeleton): (occurrence: Occurrence) => string {
  const { interval, trace } = skeleton;
  const { point, thread } = trace.events;
  const states = new LockStates(skeleton);
  const classes = new Map<number, string>();
  const locks = (event: number): string => {
    let name = classes.get(event);
    if (name === undefined) classes.set(event, (name = classOf(states.at(thread[event]!, interval[event]!))));
    return name;
  };
  return ({ pattern, entity, first, remote, second }) =>
    [
      pattern,
      entity,
      thread[first],
      thread[remote],
      point[first],
      point[remote],
      point[second],
      locks(first),
      locks(remote),
    ].join('|');
}
