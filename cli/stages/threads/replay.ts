/** `unweave replay` of a schedule of threads, and bugs of earlier commands shown again. */
import type { CutPoint, Schedule } from '../../../data/prediction.ts';
import type { StoredSchedule, TestRecord } from '../../../data/store/index.ts';
import { scheduleOfSteps } from '../../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { cutPointOf, explanationsOf } from '../../../predictor/threads/told.ts';
import { errorLine } from '../../../report/phrase.ts';
import type { ReplayOutcome, ReplayRun, ReplayView } from '../../../report/replay.ts';
import type { BugView } from '../../../report/view.ts';
import { chosenBy } from '../../../rescheduler/tokens/executor.ts';
import type { ThreadedTest, ThreadResult, ThreadSpec } from '../../../rescheduler/tokens/protocol.ts';
import { chosenIn } from '../../../rescheduler/tokens/thread-orders.ts';
import { UsageError } from '../../errors.ts';
import type { StageContext } from '../context.ts';
import { tells } from '../evidence.ts';
import { predictedOf, viewOf } from './bug.ts';
import { threadTrace } from './predict.ts';
import { traceRowsOf } from './rows.ts';

export async function replayThreads(
  context: StageContext,
  id: string,
  test: TestRecord,
  stored: StoredSchedule,
): Promise<ReplayView> {
  const subject = await context.findThreads(test);
  const trace = threadTrace(context.store, test.id);
  if (!subject || !trace)
    throw new UsageError(`${id}: its test ${test.file} › ${test.name} is not there any more`);
  const { options, store } = context;
  if (options.inspectBrk)
    throw new UsageError('--inspect-brk: threads stop each other under control; use --times without it');
  if (options.witness > 0) throw new UsageError('--witness: there is no plain run of a schedule of threads');
  const runs: ReplayRun[] = [];
  const spec = specOf(context, test, trace, stored);
  for (let i = 0; i < options.times && !context.over; i++) {
    const ran = await subject.executeFresh(spec, context.threadExecution);
    runs.push({ outcome: outcomeOf(ran), detail: detailOf(ran) });
  }
  const bug = store.getBug(id);
  const shown = options.trace ? await subject.execute(spec, context.threadExecution, true) : null;
  const rows = shown?.trace ? { outcome: shown.ran.outcome, rows: traceRowsOf(shown.trace) } : null;
  return {
    id,
    runs,
    witness: null,
    ...(options.trace ? { trace: rows } : {}),
    bug: bug && (await shownAgain(context, test, trace, subject, stored, bug.report)),
  };
}

/** How a stored schedule is forced once more. */
function specOf(
  { store }: StageContext,
  test: TestRecord,
  trace: ThreadTrace,
  { schedule, seed }: StoredSchedule,
): ThreadSpec {
  if (seed !== null && schedule.steps.length === 0)
    return chosenBy({ by: chosenIn(schedule.id).name, seed, length: trace.events.length });
  const wanted = store
    .getThreadCutPoints(test.id)
    .find((cutPoint) => cutPointOf(trace, cutPoint).id === schedule.cutPoint);
  if (wanted) return { kind: 'directed', schedule: forced(trace, wanted) };
  return taken(trace, schedule);
}

const taken = ({ names }: ThreadTrace, { steps }: Schedule): ThreadSpec => ({
  kind: 'directed',
  schedule: scheduleOfSteps(names.threads, steps),
});

/** A stored bug as the report shows it: its failing schedule is recorded once more. */
export async function shownAgain(
  context: StageContext,
  test: TestRecord,
  trace: ThreadTrace,
  subject: ThreadedTest,
  { schedule, origin }: StoredSchedule,
  bug: BugView['bug'],
): Promise<BugView> {
  const shown = await subject.execute(taken(trace, schedule), context.threadExecution, true);
  const predicted = cutPointOfBug(context, test, trace, schedule);
  const shownPoints = shown.trace ? explanationsOf(shown.trace, trace) : [];
  const told = [...(predicted ? [predicted] : []), ...shownPoints].find((c) => tells(c, bug));
  return viewOf(test, bug, shown.ran, told ?? null, origin, shown);
}

function cutPointOfBug(
  { store }: StageContext,
  test: TestRecord,
  trace: ThreadTrace,
  schedule: Schedule,
): CutPoint | null {
  const id = predictedOf(schedule.id);
  const points = store.getThreadCutPoints(test.id).map((each) => cutPointOf(trace, each));
  return points.find((point) => point.id === id) ?? null;
}

function outcomeOf({ outcome, followed }: ThreadResult): ReplayOutcome {
  if (outcome === 'fail') return 'failed';
  if (outcome === 'deadlock' || outcome === 'unknown') return outcome;
  return followed === 'infeasible' || followed === 'diverged' ? followed : 'passed';
}

function detailOf({ failure, divergence }: ThreadResult): string | null {
  if (failure) return errorLine(failure);
  return divergence && `left the schedule at ${divergence}`;
}
