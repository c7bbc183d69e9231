/** Cut points of a harness of threads, for `unweave inspect`. */
import { threadStepOf } from '../../../data/schedule-step.ts';
import type { Store, TestRecord } from '../../../data/store/index.ts';
import { LockStates } from '../../../predictor/threads/lock-states.ts';
import { skeletonOf } from '../../../predictor/threads/skeleton.ts';
import { cutPointOf } from '../../../predictor/threads/told.ts';
import type { InspectCutPoint, InspectSchedule, ShownLock } from '../../../report/inspect.ts';
import { called, tells } from '../evidence.ts';
import { predictedOf } from './bug.ts';
import { cutPointView } from './evidence.ts';
import { threadTrace } from './predict.ts';

export function inspectThreads(store: Store, test: TestRecord): InspectCutPoint[] {
  const trace = threadTrace(store, test.id);
  if (!trace) return [];
  const skeleton = skeletonOf(trace);
  const states = new LockStates(skeleton);
  const heldAt = (event: number): ShownLock[] =>
    states.at(trace.events.thread[event]!, skeleton.interval[event]!).map(({ lock, history }) => ({
      name: trace.names.locks[lock]!,
      since: [...history].map((each) => trace.names.locks[each.lock]!),
    }));
  const schedules = store.schedules(test.id);
  const bugs = store.bugs(test.id);
  return store.getThreadCutPoints(test.id).map((each): InspectCutPoint => {
    const cutPoint = cutPointOf(trace, each);
    const view = cutPointView(cutPoint, null);
    const told = bugs.find(({ report }) => tells(cutPoint, report));
    const own = schedules.filter(({ schedule }) => schedule.cutPoint === cutPoint.id);
    return {
      cutPoint: told ? called(view, told.report) : view,
      testTitle: `${test.file} › ${test.name}`,
      transaction: cutPoint.transaction,
      locks: { first: heldAt(each.first), remote: heldAt(each.remote) },
      rank: cutPoint.rank,
      reasons: cutPoint.reasons,
      schedules: own.map(
        ({ schedule, verdict }): InspectSchedule => ({
          id: schedule.id,
          moves: schedule.moves,
          switches: schedule.switches,
          stallMs: 0,
          verdict,
          steps: schedule.steps
            .map(threadStepOf)
            .flatMap(({ thread, count }) =>
              count === undefined
                ? []
                : [{ task: thread, what: `${count} steps`, site: null, kind: 'access' as const }],
            ),
        }),
      ),
      bug:
        bugs.find((b) => b.schedule !== null && predictedOf(b.schedule) === cutPoint.id)?.report.id ?? null,
    };
  });
}
