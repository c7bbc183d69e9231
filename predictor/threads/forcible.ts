/** What a rescheduler forces on a program of threads: cut points with their schedules, the most promising first. */
import type { ThreadCutPoint } from '../../data/threads/cut-point.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { cutPointsOf, earlyReadsOf } from './predict.ts';
import type { Tally } from './predict-all.ts';

export function forcibleCutPoints(trace: ThreadTrace, tally: Tally): ThreadCutPoint[] {
  return [...cutPointsOf(trace, tally), ...earlyReadsOf(trace, tally)]
    .sort((a, b) => b.rank - a.rank)
    .map(({ entity, reduced, ...cutPoint }) => ({
      ...cutPoint,
      entity: trace.names.entities[entity]!,
      reduced: reduced.schedule,
      switches: { before: reduced.before, after: reduced.after },
    }));
}
