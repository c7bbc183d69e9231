/** A confirmed failure becomes a bug: what explains it, what would mend it, and which order near it passes. */
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { ReportBug } from '../../data/report.ts';
import type { StrategySpec } from '../../data/run.ts';
import { MINIMAL, type TestRecord } from '../../data/store/index.ts';
import type { Trace } from '../../data/trace.ts';
import { explanations, patternOf, patternsOf } from '../../predictor/explain.ts';
import { type Flip, flipOf } from '../../predictor/flip.ts';
import { switchesOf } from '../../predictor/switches.ts';
import { isThrownAt } from '../../predictor/told.ts';
import { buildReport } from '../../report/json.ts';
import { stepsInWords, taskOfStep } from '../../report/rows.ts';
import type { Witness } from '../../report/witness.ts';
import { clearedBy, suspectsOf } from '../../rescheduler/investigate/cleared.ts';
import { fingerprintOf } from '../../rescheduler/investigate/confirm.ts';
import { type Counterfactual, forced, nearestPassing } from '../../rescheduler/investigate/counterfactual.ts';
import { checkFix, type FixCheck } from '../../rescheduler/investigate/fix-check.ts';
import type { Finding } from '../../rescheduler/investigate/investigate.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import { conditionOf } from './assumptions.ts';
import { explainingTime, type StageContext } from './context.ts';
import { bugView, callsOf, recordInGrace } from './evidence.ts';
import { needsNetwork } from './network.ts';
import { allAreTiming, type Timing, timingOf } from './timing.ts';
import { witnessOf } from './witness.ts';

/** What is known of a finding. */
export interface KeptBug {
  /** Under which the bug is stored, once it is: a better explanation does not rename it. */
  readonly id: string | null;
  readonly minimal: Schedule;
  readonly natural: Trace;
  readonly failing: Trace | null;
  readonly points: readonly CutPoint[];
  /** Told where there are no points, and no waits that tell more. */
  readonly flip: Flip | null;
  readonly fix: FixCheck | null;
  readonly counterfactual: ReportBug['counterfactual'];
  readonly witness: Witness | null;
  /** See {@link needsNetwork}. */
  readonly network: boolean | null;
  /** null: nothing is known. */
  readonly timing: Timing | null;
}

/** Explains a finding at the moment when it was confirmed. */
export async function describe(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
  finding: Finding,
): Promise<KeptBug> {
  const { store } = context;
  const natural = store.getTrace(test.id);
  if (!natural) throw new Error(`no trace of ${test.id}`);
  const predicted = store.getCutPoints(test.id);
  const isOver = explainingTime(context);
  const minimal = minimalSchedule(finding);
  const failing = await recordInGrace(context, subject, minimal, finding);
  const found = pointsOf(finding, predicted, natural, failing);
  const fix = await context.inTime(
    () => fixOf(context, subject, finding, likely(found), predicted, isOver),
    null,
  );
  const run = (spec: StrategySpec) => subject.execute(spec, context.under(finding.assumed));
  const classified = async () =>
    failing && timingOf(finding.result, natural, failing, found.length > 0, run, isOver, subject.file);
  const timing = await context.inTime(classified, null);
  const nearest = () => counterfactualOf(context, subject, finding, natural, failing, isOver, timing?.near);
  const network = () => networkOf(context, subject, finding, failing, isOver);
  // The user has asked for as many runs as these take.
  const { whole } = context;
  const seen = () => witnessOf(whole, subject, failing, finding.result, finding.assumed);
  return {
    id: null,
    minimal,
    natural,
    failing,
    points: led(found, fix),
    flip:
      failing && finding.result.waits.length === 0
        ? flipOf(failing, natural, finding.result.failure?.stack)
        : null,
    fix,
    timing,
    network: await context.inTime(network, null),
    counterfactual: await context.inTime(nearest, null),
    witness: await whole.inTime(seen, null),
  };
}

/** Where loopback is strict already there is nothing to try. */
function networkOf(
  context: StageContext,
  subject: Subject,
  finding: Finding,
  failing: Trace | null,
  isOver: () => boolean,
): Promise<boolean | null> {
  const options = context.under(finding.assumed);
  if (options.limits.loopback === 'strict') return Promise.resolve(null);
  const strict = { ...options, limits: { ...options.limits, loopback: 'strict' as const } };
  return needsNetwork(finding, failing, (spec) => subject.execute(spec, strict), isOver);
}

/** The same finding after the test: by now more orders have failed or passed, and explanations are judged by all. */
export async function complete(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
  finding: Finding,
  kept: KeptBug,
): Promise<KeptBug> {
  const predicted = context.store.getCutPoints(test.id);
  const known = [...predicted, ...finding.variants];
  const cleared = clearedBy(predicted, context.store.schedules(test.id));
  const points = suspectsOf(likely(kept.points), cleared, kept.flip !== null);
  const isOver = explainingTime(context);
  const check = () => fixOf(context, subject, finding, points, known, isOver);
  const fix = await context.inTime(check, kept.fix);
  // What there is no time to check counts as a race.
  const same = () => remains(context, test, subject, finding, kept, isOver);
  const isTiming = kept.timing?.told && (await context.inTime(same, false));
  const timing = kept.timing?.told && !isTiming ? null : kept.timing;
  // By now more orders have failed alike.
  const again = () => networkOf(context, subject, finding, kept.failing, isOver);
  const network = kept.network ? await context.inTime(again, kept.network) : kept.network;
  return { ...kept, ...judged(finding, points, fix), timing, network };
}

/** Whether the orders that failed alike since then say no more than the first one, that a sleep is too short. */
function remains(
  context: StageContext,
  test: TestRecord,
  subject: Subject,
  { result, schedule, assumed }: Finding,
  { natural, points: found }: KeptBug,
  isOver: () => boolean,
): Promise<boolean> {
  const { store } = context;
  const alike = store
    .schedules(test.id)
    .filter((s) => s.schedule.id !== schedule.id && (s.verdict === 'confirmed' || s.verdict === 'deadlock'))
    // What was predicted aims at a race.
    .sort((a, b) => Number(b.schedule.cutPoint !== null) - Number(a.schedule.cutPoint !== null))
    .flatMap((s) => store.runs(test.id, s.schedule.id).at(-1)?.result ?? [])
    .filter((other) => fingerprintOf(other) === fingerprintOf(result));
  const orders = new Map(alike.map(({ steps }) => [steps.join('\n'), steps]));
  orders.delete(result.steps.join('\n'));
  const run = (spec: StrategySpec) => subject.execute(spec, context.under(assumed));
  const record = (steps: readonly string[]) =>
    context.record(subject, forced(steps), assumed).catch(() => null);
  return allAreTiming([...orders.values()], natural, found.length > 0, record, run, isOver, subject.file);
}

/**
 * What the fix check leaves of the explanations: where nothing was predicted they were only read off the failing
 * run, and go when keeping their spans whole mends no order at all.
 */
function judged(
  { cutPoint }: Finding,
  points: readonly CutPoint[],
  fix: FixCheck | null,
): Pick<KeptBug, 'points' | 'fix'> {
  if (cutPoint === null && fix?.ok === 0) return { points: [], fix: null };
  return { points: led(points, fix), fix };
}

/** Accesses whose span may be kept whole without helping are bystanders: they do not lead. */
function led(points: readonly CutPoint[], fix: FixCheck | null): CutPoint[] {
  const helps = fix !== null && fix.ok === fix.of;
  const after = (c: CutPoint): number => (helps && c.entity === fix.entity ? 0 : 1);
  return [...points].sort((a, b) => after(a) - after(b));
}

/** A triple that ranks so much lower than the best one is no explanation beside it. */
const UNLIKELY = 5;

/**
 * The best triple, which comes first, and those that may explain something beside it: keeping anything whole may let a
 * failing order pass, so that only these may lead.
 */
function likely(points: readonly CutPoint[]): CutPoint[] {
  const [best] = points;
  return points.filter((c) => best && worth(c) > worth(best) - UNLIKELY);
}

function fixOf(
  context: StageContext,
  subject: Subject,
  { orders, result, assumed }: Finding,
  points: readonly CutPoint[],
  known: readonly CutPoint[],
  isOver: () => boolean,
): Promise<FixCheck | null> {
  if (result.outcome === 'deadlock' || points.length === 0) return Promise.resolve(null);
  const run = (spec: StrategySpec) => subject.execute(spec, context.under(assumed));
  return checkFix(points, known, orders, run, isOver);
}

async function counterfactualOf(
  context: StageContext,
  subject: Subject,
  { result, confirmation, assumed }: Finding,
  natural: Trace,
  failing: Trace | null,
  isOver: () => boolean,
  known?: Counterfactual | null,
): Promise<ReportBug['counterfactual']> {
  const traces = failing ? [failing, natural] : [natural];
  const run = (spec: StrategySpec) => subject.execute(spec, context.under(assumed));
  const taskOf = (step: string): string => taskOfStep(traces, step);
  const near = known ?? (await nearestPassing(result.steps, natural.steps, taskOf, run, isOver));
  if (!near) return null;
  let passed = 0;
  for (let i = 0; i < confirmation.times; i++)
    if ((await subject.executeFresh(forced(near.steps), context.under(assumed))).outcome === 'pass')
      passed += 1;
  const [step = '', anchor = ''] = stepsInWords(traces, near.step, near.anchor);
  const { now, block } = near;
  return { step, now, anchor, block, passed: `${passed}/${confirmation.times}` };
}

/** Stores a finding as a bug, together with the order that replays it in its minimal form; returns the bug's id. */
export function keep(
  { store, views, options }: StageContext,
  test: TestRecord,
  finding: Finding,
  kept: KeptBug,
): string | null {
  const { minimal, natural, failing } = kept;
  const points = [...new Map([...kept.points, ...finding.variants].map((c) => [c.id, c])).values()];
  const shown = points.slice(0, MAX_VARIANTS);
  const point = shown[0] ?? null;
  const conditional = conditionOf(finding, options);
  const rows = (point ? shown : [null]).map((cutPoint) => ({
    ...reportable(test.id, finding, kept),
    cutPoint,
    calls: callsOf(failing, cutPoint, kept.flip),
    conditional,
  }));
  const built = buildReport({ tests: [], findings: rows, timing: NO_TIMING }).bugs[0];
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

/** Moves of a predicted order, as a rule. */
const TYPICAL_MOVES = 6;
/** Other triples of one defect that the report lists. */
const MAX_VARIANTS = 10;

/**
 * The triples that tell the defect, best ranked first: the one that was forced, those whose orders failed
 * alike, and all predicted ones that the failing run shows and the passing one does not. A failure that no
 * prediction led to is explained from its own run.
 */
function pointsOf(
  { cutPoint, variants, result }: Finding,
  predicted: readonly CutPoint[],
  natural: Trace,
  failing: Trace | null,
): CutPoint[] {
  if (result.outcome === 'deadlock') return [];
  const shown = failing ? patternsOf(failing) : new Set<string>();
  // A run may fail before it comes to the last access of the triple that was forced: then another one failed it.
  const happened = (c: CutPoint): number => Number(shown.has(patternOf(c)));
  const best = (points: Iterable<CutPoint>): CutPoint[] =>
    [...points]
      .map((c) => ({ ...c, rank: c.rank + evidence(c, result) }))
      .sort((a, b) => happened(b) - happened(a) || worth(b) - worth(a));
  const points = new Map(cutPoint ? [[cutPoint.id, cutPoint]] : []);
  if (failing) {
    const usual = patternsOf(natural);
    for (const c of predicted) if (shown.has(patternOf(c)) && !usual.has(patternOf(c))) points.set(c.id, c);
    const cost = { clock: result.requiredStallMs, moves: TYPICAL_MOVES };
    for (const c of cutPoint === null ? explanations(failing, natural, cost) : []) points.set(c.id, c);
  }
  // How many variants are known depends on how far the test has come: they never lead.
  const others = variants.filter((c) => !points.has(c.id));
  return [...best(points.values()), ...best(others)].slice(0, MAX_VARIANTS);
}

/** The operation whose own access threw says more of the defect than others on the same entity. */
const THREW = 3;

function evidence({ first, second }: CutPoint, { failure }: Finding['result']): number {
  return [first, second].some(({ at }) => isThrownAt(at, failure?.stack ?? '')) ? THREW : 0;
}

/** How well a triple tells the defect. One call of the host that reads in pieces fails soon, but explains little. */
function worth({ rank, pattern, first, second }: CutPoint): number {
  const inPieces = pattern === 'RWR' && first.request !== null && first.at === second.at;
  return inPieces ? rank - UNLIKELY : rank;
}

const NO_TIMING = { monitorMs: 0, predictMs: 0, rescheduleMs: 0 };

function minimalSchedule({ schedule, steps, cutPoint }: Finding): Schedule {
  if (steps === schedule.steps) return schedule;
  return { ...schedule, id: schedule.id + MINIMAL, cutPoint: cutPoint?.id ?? null, steps };
}

function reportable(
  test: string,
  finding: Finding,
  { flip, fix, counterfactual, witness, timing, network }: KeptBug,
) {
  const { confirmation, result } = finding;
  const { reproduced, control, times } = confirmation;
  const failure = result.failure;
  if (!failure) throw new Error('a finding without a failure');
  return {
    test,
    failure,
    flip,
    waits: result.waits,
    reproduced: { ok: reproduced, of: times },
    control: { ok: control, of: times },
    witness: witness?.ratio ?? null,
    network,
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
