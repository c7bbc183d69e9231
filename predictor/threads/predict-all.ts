/** Every reachable occurrence of a small trace, without gap records or representatives: for outside checks. */
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { type Occurrence, occurrences } from './occurrences.ts';
import { Reach, type Reached } from './reach.ts';
import { skeletonOf } from './skeleton.ts';

export interface Found extends Occurrence, Reached {}

export interface Tally {
  /** Triples looked at; of a long trace, kinds of them that locks and must-order allow. */
  triples: number;
  reachable: number;
  completing: number;
  /** The budget ended before these were decided; they are not reported. */
  undecided: number;
  /** Kinds of a long trace that are reachable, for which no schedule was worked out. They are not reported. */
  unscheduled: number;
}

/** Decides triple after triple; null for each that is not reachable or not decided. `budget`: choices per triple. */
export function* decideAll(trace: ThreadTrace, tally: Tally, budget?: number): Generator<Found | null> {
  const reach = new Reach(skeletonOf(trace), budget);
  for (const occurrence of occurrences(trace.events)) {
    tally.triples += 1;
    const reached = reach.reach(occurrence);
    if (reached === 'undecided') tally.undecided += 1;
    if (reached === null || reached === 'undecided') {
      yield null;
      continue;
    }
    tally.reachable += 1;
    if (reached.completes) tally.completing += 1;
    yield { ...occurrence, ...reached };
  }
}

/** The reachable ones alone. `tally` is complete at the end. */
export function* predictAll(trace: ThreadTrace, tally: Tally, budget?: number): Generator<Found> {
  for (const found of decideAll(trace, tally, budget)) if (found) yield found;
}

export const newTally = (): Tally => ({
  triples: 0,
  reachable: 0,
  completing: 0,
  undecided: 0,
  unscheduled: 0,
});
