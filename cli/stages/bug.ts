/** A confirmed failure becomes a bug: explained, and stored. */
import type { Schedule } from '../../data/prediction.ts';
import { isGivenUpByFetch } from '../../data/runtime-timers.ts';
import { MINIMAL, type TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { switchesOf } from '../../predictor/switches.ts';
import { buildReport } from '../../report/json.ts';
import { lockWaits } from '../../report/lock-waits.ts';
import { waitsIn } from '../../report/rows.ts';
import { reportedWakeUp } from '../../report/wake-up.ts';
import {
  explain,
  explainAgain,
  type KnownTest,
  type LoopExplanation,
  type Means,
} from '../../rescheduler/explain/explain.ts';
import { MAX_VARIANTS } from '../../rescheduler/explain/points.ts';
import { witnessOf } from '../../rescheduler/explain/witness.ts';
import { fingerprintOf } from '../../rescheduler/investigate/confirm.ts';
import { forced } from '../../rescheduler/investigate/counterfactual.ts';
import type { Finding } from '../../rescheduler/investigate/investigate.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { conditionOf } from './assumptions.ts';
import { explainingTime, replayBy, type StageContext } from './context.ts';
import { bugView, callsOf, recordFailing } from './evidence.ts';
import { naturalFailureOf } from './natural-failure.ts';
import { Reserve } from './reserve.ts';

export interface KeptBug extends LoopExplanation {
  /** Under which the bug is stored, once it is: a better explanation does not rename it. */
  readonly id: string | null;
  /** Packages that were looked into for this finding alone. */
  readonly lookedInto: readonly string[];
}

/** Explains a finding at the moment when it was confirmed. */
export async function describe(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
  finding: Finding,
): Promise<KeptBug> {
  const natural = context.store.getTrace(test.id);
  if (!natural) throw new Error(`no trace of ${test.id}`);
  const known = knownOf(context, test, subject, natural);
  const minimal = minimalSchedule(finding);
  return {
    id: null,
    lookedInto: [],
    ...(await explain(known, finding, minimal, meansOf(context, subject, finding))),
  };
}

/** The same finding after the test, whose orders were all run. */
export function complete(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
  finding: Finding,
  kept: KeptBug,
): Promise<KeptBug> {
  const { store } = context;
  const judged = {
    ...knownOf(context, test, subject, kept.natural),
    lastRun: (schedule: string) => store.runs(test.id, schedule).at(-1)?.result,
  };
  return explainAgain(judged, finding, kept, meansOf(context, subject, finding));
}

const knownOf = (
  { store }: StageContext,
  test: TestRecord,
  { file }: Subject,
  natural: Trace,
): KnownTest => ({
  file,
  natural,
  predicted: store.getCutPoints(test.id),
  schedules: store.schedules(test.id),
});

/** From now on. */
function meansOf(context: StageContext, subject: Subject, finding: Finding): Means {
  const { assumed, cutPoint, result } = finding;
  const reserve = new Reserve(context);
  const options = context.under(assumed);
  const strict = { ...options, limits: { ...options.limits, loopback: 'strict' as const } };
  // The user has asked for as many runs as a witness takes.
  const { whole } = context;
  return {
    run: (spec) => subject.execute(spec, options),
    runFresh: (spec) => subject.executeFresh(spec, options),
    runStrictly: options.limits.loopback === 'strict' ? null : (spec) => subject.execute(spec, strict),
    recordFailing: (minimal) =>
      reserve.spend((under) => recordFailing(under, subject, minimal, cutPoint, assumed)),
    classify: (work) => reserve.spend((under) => work((spec) => subject.execute(spec, under.under(assumed)))),
    isCut: () => reserve.isSpent,
    record: (steps) => context.recordWarm(subject, forced(steps), assumed).catch(() => null),
    witness: (failing) =>
      whole.inTime(() => witnessOf(subject, failing, result, assumed, whole.plainRuns(assumed)), null),
    inTime: (work, otherwise) => context.inTime(work, otherwise),
    isOver: explainingTime(context),
  };
}

/** Stores a finding as a bug, together with the order that replays it in its minimal form; returns the bug's id. */
export function keep(
  { store, views, options }: StageContext,
  test: TestRecord,
  finding: Finding,
  kept: KeptBug,
): string | null {
  const { minimal, natural, failing } = kept;
  // Triples of other orders stand beside what explains this one, and never for it.
  const variants = kept.points.length > 0 ? finding.variants : [];
  const points = [...new Map([...kept.points, ...variants].map((c) => [c.id, c])).values()];
  const shown = points.slice(0, MAX_VARIANTS);
  const point = shown[0] ?? null;
  const conditional = conditionOf(finding, options);
  const against = naturalFailureOf(test) ? ('passing' as const) : ('natural' as const);
  const rows = (point ? shown : [null]).map((cutPoint) => ({
    ...reportable(test.id, finding, kept),
    against,
    cutPoint,
    calls: callsOf(failing, cutPoint, kept.flip),
    conditional,
  }));
  const built = buildReport({
    ...{ tests: [], findings: rows, timing: NO_TIMING },
    replay: replayBy(options),
  }).bugs[0];
  if (!built) return null;
  const id = kept.id ?? built.id;
  const report = { ...built, id, replay: built.replay.replace(built.id, id) };
  const known = store.getBug(report.id);
  const first = known && !views.has(report.id) ? known.report : report;
  const fingerprint = fingerprintOf(finding.result);
  if (first === report)
    store.atomically(() => {
      if (minimal.id !== finding.schedule.id) store.putSchedules(test.id, [minimal], finding.origin);
      store.putBug({ fingerprint, schedule: minimal.id, report });
    });
  const view = bugView(test, first, point, natural, failing, finding.result, finding.origin);
  views.set(first.id, { ...view, witness: kept.witness });
  return id;
}

/** Said by `fetch` where nobody answered, and where nobody went on with an answer. */
const GIVEN_UP = /^(fetch failed|terminated|Headers Timeout Error|Body Timeout Error)$/;

/** Locks in a circle say more than where everybody stands. */
function stuckIn(failing: Trace): string[] {
  const circle = lockWaits(failing);
  return circle.length > 0 ? circle : waitsIn(failing);
}

const NO_TIMING = { monitorMs: 0, predictMs: 0, rescheduleMs: 0 };

function minimalSchedule({ schedule, steps, cutPoint }: Finding): Schedule {
  if (steps === schedule.steps) return schedule;
  return { ...schedule, id: schedule.id + MINIMAL, cutPoint: cutPoint?.id ?? null, steps };
}

function reportable(
  test: string,
  finding: Finding,
  { failing, flip, fix, counterfactual, natural, witness, timing, network, lookedInto }: KeptBug,
) {
  const { confirmation, result } = finding;
  const { reproduced, control, times } = confirmation;
  const failure = result.failure;
  if (!failure) throw new Error('a finding without a failure');
  const isStuck =
    failure.kind === 'deadlock' || (failing && GIVEN_UP.test(failure.message) && isGivenUpByFetch(failing));
  return {
    test,
    failure,
    flip,
    waits: failing && isStuck ? stuckIn(failing) : result.waits,
    wakeUp: failing && failure.kind === 'deadlock' ? reportedWakeUp(failing, natural) : null,
    reproduced: { ok: reproduced, of: times },
    control: { ok: control, of: times },
    witness: witness?.ratio ?? null,
    network,
    packages: failing?.packages ?? [],
    lookedInto,
    counterfactual,
    fix,
    timing: timing?.told ?? null,
    latency: timing?.latency ?? null,
    requiredStallMs: result.requiredStallMs,
    requiredPauseMs: result.requiredPauseMs,
    switches: switchesOf(result.steps),
    schedulesUntilFound: finding.schedulesUntilFound,
  };
}
