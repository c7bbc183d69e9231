/** A confirmed failure of threads becomes a bug: stored, with the schedule that replays it, and shown. */
import type { CutPoint, Origin } from '../../../data/prediction.ts';
import { threadStepOf } from '../../../data/schedule-step.ts';
import { MINIMAL, type TestRecord } from '../../../data/store/index.ts';
import type { ThreadSchedule } from '../../../data/threads/schedule.ts';
import { buildReport } from '../../../report/json.ts';
import type { BugView } from '../../../report/view.ts';
import type { Witness } from '../../../report/witness.ts';
import { onceEach } from '../../../rescheduler/explain/once-each.ts';
import type { ThreadExplanation, ThreadMeans } from '../../../rescheduler/explain/threads.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import { needsOf } from '../../../rescheduler/tokens/needs.ts';
import type { ThreadedTest, ThreadReply, ThreadResult } from '../../../rescheduler/tokens/protocol.ts';
import { explainingTime, replayBy, type StageContext } from '../context.ts';
import { called } from '../evidence.ts';
import { cutPointView } from './evidence.ts';
import { rowOf, rowsOf } from './rows.ts';

/** Id of the cut point that led to a schedule in its minimal form. */
export const predictedOf = (schedule: string): string => `c${schedule.replace(MINIMAL, '').slice(1)}`;

const directed = (schedule: ThreadSchedule) => ({ kind: 'directed', schedule }) as const;

/** How orders of this test are run, all of its findings together. */
export const runsOf = ({ threadExecution: how }: StageContext, subject: ThreadedTest): ThreadMeans['run'] =>
  onceEach((schedule) => subject.execute(directed(schedule), how, true));

/** From now on. */
export function meansOf(context: StageContext, subject: ThreadedTest, run: ThreadMeans['run']): ThreadMeans {
  const { threadExecution: how } = context;
  return {
    run,
    runForCalls: (schedule, callsAt) => subject.execute(directed(schedule), { ...how, callsAt }, true),
    runFresh: (schedule) => subject.executeFresh(directed(schedule), how),
    inTime: (work, otherwise) => context.inTime(work, otherwise),
    isOver: explainingTime(context),
    inWords(trace, event) {
      const { site, task, what } = rowOf(trace, event);
      return `${task}: ${what}${site ? ` (${site.file}:${site.line})` : ''}`;
    },
  };
}

/** What users may ask for of other programs. */
const NO_WITNESS: Witness = {
  ratio: null,
  why: 'threads have none, as nobody can make one of them late without touching it',
};

/** Stores a finding as a bug, together with the order that replays it. */
export function keepBug(
  { options, store, views }: StageContext,
  test: TestRecord,
  { confirmation, origin, result, schedule, schedulesUntilFound, steps }: Finding,
  { calls, counterfactual, cutPoint, fix, flip, shown }: ThreadExplanation,
): void {
  const minimal = { ...schedule, id: schedule.id + MINIMAL, cutPoint: null, steps };
  const { times, reproduced, control } = confirmation;
  const ratio = (ok: number) => ({ ok, of: times });
  const failure = result.failure!;
  const { requiredPauseMs, requiredStallMs } = needsOf(shown.ran.late);
  const built = buildReport({
    tests: [],
    findings: [
      {
        ...{ test: test.id, cutPoint, flip, failure, conditional: null, waits: shown.ran.waits },
        ...{
          reproduced: ratio(reproduced),
          control: ratio(control),
          witness: null,
          counterfactual,
          fix,
          calls,
        },
        ...{ requiredStallMs, requiredPauseMs, schedulesUntilFound },
        switches: steps.filter((step) => threadStepOf(step).count !== undefined).length - 1,
      },
    ],
    timing: { monitorMs: 0, predictMs: 0, rescheduleMs: 0 },
    replay: replayBy(options),
  }).bugs[0]!;
  store.atomically(() => {
    store.putSchedules(test.id, [minimal], origin);
    store.putBug({ fingerprint: failure.fingerprint, schedule: minimal.id, report: built });
  });
  const view = viewOf(test, built, result, cutPoint, origin, shown);
  views.set(built.id, { ...view, witness: options.witness > 0 ? NO_WITNESS : null });
}

/** What the report shows of it. `shown`: the failing schedule, recorded. */
export function viewOf(
  test: TestRecord,
  bug: BugView['bug'],
  { failure }: Pick<ThreadResult, 'failure'>,
  cutPoint: CutPoint | null,
  origin: Origin,
  shown: ThreadReply,
): BugView {
  return {
    bug,
    testTitle: `${test.file} › ${test.name}`,
    cutPoint: cutPoint && called(cutPointView(cutPoint, shown), bug),
    natural: [],
    failing: shown.trace ? rowsOf(shown.trace, cutPoint) : [],
    late: needsOf(shown.ran.late).late,
    error: failure ?? { name: 'Error', message: bug.error, stack: '' },
    foundBy: origin === 'enumerated' ? 'preemption' : origin,
    threads: true,
  };
}
