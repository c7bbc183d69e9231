/** What a rescheduler forces on a program of threads: cut points with their schedules, the most promising first. */
import type { ThreadCutPoint } from '../../data/threads/cut-point.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { readable } from '../../data/threads/transaction.ts';
import { cutPointsOf, earlyReadsOf } from './predict.ts';
import type { Tally } from './predict-all.ts';
import { ThreadTransactions } from './transactions.ts';

/** Points for accesses that belong together for a reason that is nearer than their thread. */
const TOGETHER = 2;

export function forcibleCutPoints(trace: ThreadTrace, tally: Tally): ThreadCutPoint[] {
  const transactions = new ThreadTransactions(trace);
  return [...cutPointsOf(trace, tally), ...earlyReadsOf(trace, tally)]
    .filter(({ first, second }) => transactions.holds(first, second))
    .map(({ entity, reduced, ...cutPoint }) => {
      const { first, rank, reasons, second } = cutPoint;
      const within = transactions.isPart(first, second) ? transactions.of(first, second) : null;
      return {
        ...cutPoint,
        entity: trace.names.entities[entity]!,
        reduced: reduced.schedule,
        switches: { before: reduced.before, after: reduced.after },
        rank: within ? rank + TOGETHER : rank,
        reasons: within ? [...reasons, `within ${readable(within)} (+${TOGETHER})`] : reasons,
      };
    })
    .sort((a, b) => b.rank - a.rank);
}
