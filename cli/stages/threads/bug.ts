/** A confirmed failure of threads becomes a bug: stored, with the schedule that replays it, and shown. */
import type { CutPoint, Origin } from '../../../data/prediction.ts';
import type { ReportBug } from '../../../data/report.ts';
import { threadStepOf } from '../../../data/schedule-step.ts';
import { MINIMAL, type TestRecord } from '../../../data/store/index.ts';
import { rolesIn } from '../../../data/threads/roles.ts';
import { scheduleOfSteps, type ThreadSchedule } from '../../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { flipOf } from '../../../predictor/threads/flip.ts';
import { accessAt, explanationsOf } from '../../../predictor/threads/told.ts';
import { buildReport, type ReportFinding } from '../../../report/json.ts';
import type { BugView } from '../../../report/view.ts';
import type { FixCheck } from '../../../rescheduler/investigate/fix-check.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import { checkFix, nearestPassing } from '../../../rescheduler/tokens/neighbours.ts';
import type { ThreadedTest, ThreadReply, ThreadResult } from '../../../rescheduler/tokens/protocol.ts';
import { explainingTime, type StageContext } from '../context.ts';
import { cutPointView } from './evidence.ts';
import { rowOf, rowsOf } from './rows.ts';

type Flipped = NonNullable<ReportFinding['flip']>;

/** Id of the cut point that led to a schedule in its minimal form. */
export const predictedOf = (schedule: string): string => `c${schedule.replace(MINIMAL, '').slice(1)}`;

/** What is known of a finding. */
export interface Explained {
  /** The failing order, recorded. */
  readonly shown: ThreadReply;
  readonly cutPoint: CutPoint | null;
  readonly flip: Flipped | null;
  readonly fix: FixCheck | null;
  readonly counterfactual: ReportBug['counterfactual'];
}

/** Explains a finding at the moment when it was confirmed. */
export async function explain(
  context: StageContext,
  subject: ThreadedTest,
  natural: ThreadTrace,
  finding: Finding,
): Promise<Explained> {
  const run = runnerOf(context, subject);
  const shown = await run(scheduleOfSteps(natural.names.threads, finding.steps));
  const cutPoint = toldBy(finding, natural, shown.trace);
  const isDeadlock = finding.result.outcome === 'deadlock';
  const flip = cutPoint || isDeadlock ? null : flippedIn(shown, natural);
  const { trace } = shown;
  if (isDeadlock || !trace) return { shown, cutPoint, flip, fix: null, counterfactual: null };
  const isOver = explainingTime(context);
  const check = () => checkFix(cutPoint ? [cutPoint] : [], [trace], run, isOver);
  const near = () => counterfactualOf(context, subject, trace, cutPoint, flip, finding, isOver);
  return {
    ...{ shown, cutPoint, flip },
    fix: await context.inTime(check, null),
    counterfactual: await context.inTime(near, null),
  };
}

/** The same after the test: by now more orders have failed alike. */
export async function explainAgain(
  context: StageContext,
  subject: ThreadedTest,
  natural: ThreadTrace,
  { orders, variants }: Finding,
  explained: Explained,
): Promise<Explained> {
  const { cutPoint, fix, shown } = explained;
  if (!cutPoint || !fix || orders.length < 2) return explained;
  const run = runnerOf(context, subject);
  const isOver = explainingTime(context);
  const again = async (): Promise<FixCheck | null> => {
    const failing = shown.trace ? [shown.trace] : [];
    for (const steps of orders.slice(1)) {
      if (isOver()) break;
      const { ran, trace } = await run(scheduleOfSteps(natural.names.threads, steps));
      if (trace && ran.outcome === 'fail') failing.push(trace);
    }
    return checkFix([cutPoint, ...variants], failing, run, isOver);
  };
  return { ...explained, fix: await context.inTime(again, fix) };
}

const runnerOf =
  (context: StageContext, subject: ThreadedTest) =>
  (schedule: ThreadSchedule): Promise<ThreadReply> =>
    subject.execute({ kind: 'directed', schedule }, context.threadExecution, true);

/** The nearest order that passes, in words, and how often it does in fresh processes. */
async function counterfactualOf(
  context: StageContext,
  subject: ThreadedTest,
  trace: ThreadTrace,
  cutPoint: CutPoint | null,
  flip: Flipped | null,
  { confirmation: { times } }: Finding,
  isOver: () => boolean,
): Promise<ReportBug['counterfactual']> {
  const told = cutPoint
    ? rolesIn(trace, cutPoint)
    : flip && { first: flip.first.event, second: flip.second.event };
  const near = told && (await nearestPassing(trace, told, runnerOf(context, subject), isOver));
  if (!near) return null;
  let passed = 0;
  for (let i = 0; i < times; i++) {
    const spec = { kind: 'directed', schedule: near.schedule } as const;
    if ((await subject.executeFresh(spec, context.threadExecution)).outcome === 'pass') passed += 1;
  }
  const words = (event: number): string => {
    const { site, task, what } = rowOf(trace, event);
    return `${task}: ${what}${site ? ` (${site.file}:${site.line})` : ''}`;
  };
  const { anchor, now, step } = near;
  return { step: words(step), now, anchor: words(anchor), block: true, passed: `${passed}/${times}` };
}

/** Stores a finding as a bug, together with the order that replays it. */
export function keepBug(
  { store, views }: StageContext,
  test: TestRecord,
  { confirmation, origin, result, schedule, schedulesUntilFound, steps }: Finding,
  { counterfactual, cutPoint, fix, flip, shown }: Explained,
): void {
  const minimal = { ...schedule, id: schedule.id + MINIMAL, cutPoint: null, steps };
  const { times, reproduced, control } = confirmation;
  const ratio = (ok: number) => ({ ok, of: times });
  const failure = result.failure!;
  const built = buildReport({
    tests: [],
    findings: [
      {
        ...{ test: test.id, cutPoint, flip, failure, conditional: null, waits: shown.ran.waits },
        ...{ reproduced: ratio(reproduced), control: ratio(control), witness: null, counterfactual, fix },
        ...{ requiredStallMs: 0, requiredPauseMs: 0, schedulesUntilFound },
        switches: steps.filter((step) => threadStepOf(step).count !== undefined).length - 1,
      },
    ],
    timing: { monitorMs: 0, predictMs: 0, rescheduleMs: 0 },
  }).bugs[0]!;
  store.atomically(() => {
    store.putSchedules(test.id, [minimal], origin);
    store.putBug({ fingerprint: failure.fingerprint, schedule: minimal.id, report: built });
  });
  views.set(built.id, viewOf(test, built, result, cutPoint, origin, shown));
}

/** What tells a failure: the triple that was forced; where that is none of the five patterns, what the run shows. */
function toldBy(
  { cutPoint, result }: Finding,
  natural: ThreadTrace,
  failing: ThreadTrace | null,
): CutPoint | null {
  const isTold = cutPoint !== null && cutPoint.pattern !== 'RRW';
  if (isTold || result.outcome === 'deadlock' || !failing) return cutPoint;
  return explanationsOf(failing, natural)[0] ?? cutPoint;
}

/** The two accesses that an order bug turned round; null: none are known. */
function flippedIn({ sites, trace }: ThreadReply, natural: ThreadTrace): Flipped | null {
  if (!trace) return null;
  const atomic = new Set(trace.names.points.filter((_, point) => sites[point]?.text.startsWith('Atomics.')));
  const flip = flipOf(trace, natural, (point) => atomic.has(point));
  return (
    flip && {
      entity: trace.names.entities[flip.entity]!,
      first: accessAt(trace, flip.first),
      second: accessAt(trace, flip.second),
    }
  );
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
    cutPoint: cutPoint && cutPointView(cutPoint, shown),
    natural: [],
    failing: shown.trace ? rowsOf(shown.trace, cutPoint) : [],
    late: [],
    error: failure ?? { name: 'Error', message: bug.error, stack: '' },
    foundBy: origin === 'enumerated' ? 'preemption' : origin,
    threads: true,
  };
}
