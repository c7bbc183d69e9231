/**
 * Explains a confirmed failure of an event loop: which accesses tell it, what would mend it, which order near it passes, and
 * what it takes for granted.
 */
import type { CutPoint, Schedule } from '../../data/prediction.ts';
import type { ReportBug } from '../../data/report.ts';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import { requestOf } from '../../data/schedule-step.ts';
import type { Trace } from '../../data/trace.ts';
import type { Verdict } from '../../data/verdicts.ts';
import type { Flip } from '../../predictor/flip.ts';
import { transactions } from '../../predictor/transactions.ts';
import { stepsInWords, taskOfStep } from '../../report/rows.ts';
import type { Witness } from '../../report/witness.ts';
import { fingerprintOf } from '../investigate/confirm.ts';
import { type Counterfactual, forced, nearestPassing } from '../investigate/counterfactual.ts';
import type { FixCheck } from '../investigate/fix-check.ts';
import type { Finding } from '../investigate/investigate.ts';
import { NATURAL } from '../investigate/passing.ts';
import type { Recording } from '../subjects/protocol.ts';
import { lateSleep } from './late.ts';
import { isMended, leadingPoints, mending, readOff } from './leading.ts';
import { needsNetwork } from './network.ts';
import { aboutWhat, interruptedIn, likely, pointsOf } from './points.ts';
import { allAreTiming, type Timing, timingOf } from './timing.ts';
import { earlySleeps } from './timing-rules.ts';
import { turnedIn } from './turned.ts';

type RunOrder = (spec: StrategySpec) => Promise<RunResult>;

/** How orders of a test are run to explain one of its failures, under what that one takes for granted. */
export interface Means {
  readonly run: RunOrder;
  readonly runFresh: RunOrder;
  /** With strict loopback; null: it is strict already. */
  readonly runStrictly: RunOrder | null;
  /** The failing order in its minimal form with everything recorded; null where that does not work out. */
  recordFailing(minimal: Schedule): Promise<Trace | null>;
  /** Work without which nothing may be said of the failure, done by these runs: a little more time than for the rest is taken for it. */
  classify<T>(work: (run: RunOrder) => Promise<T>): Promise<T | null>;
  /** That time is over, too. */
  isCut(): boolean;
  /** For what is not told itself. */
  record(steps: readonly string[]): Promise<Recording | null>;
  /** On plain Node, as often as the user wants. */
  witness(failing: Trace | null): Promise<Witness | null>;
  /** Work that may be left out: what takes its place where the time is over. */
  inTime<T>(work: () => Promise<T>, otherwise: T): Promise<T>;
  /** The time for explaining this failure is over. */
  isOver(): boolean;
}

/** What is known of the test. */
export interface KnownTest {
  /** With the test in it. */
  readonly file: string;
  readonly natural: Trace;
  readonly predicted: readonly CutPoint[];
  /** With what is known by now. */
  readonly schedules: readonly { readonly schedule: Schedule; readonly verdict: Verdict | null }[];
}

/** What is known of it once all of its orders were run. */
export interface JudgedTest extends KnownTest {
  /** How an order went the last time. */
  lastRun(schedule: string): Omit<RunResult, 'breadth' | 'choices'> | undefined;
}

/** What is known of a finding. */
export interface LoopExplanation {
  readonly minimal: Schedule;
  readonly natural: Trace;
  readonly failing: Trace | null;
  readonly points: readonly CutPoint[];
  /** Told where there are no points. */
  readonly flip: Flip | null;
  readonly fix: FixCheck | null;
  readonly counterfactual: ReportBug['counterfactual'];
  readonly witness: Witness | null;
  /** See {@link needsNetwork}. */
  readonly network: boolean | null;
  /** null: nothing is known. */
  readonly timing: Timing | null;
  /** Nothing, as there was no time to look: it may be a race, or none. */
  readonly isUndecided: boolean;
}

/** Explains a finding at the moment when it was confirmed. `minimal`: its schedule in the minimal form. */
export async function explain(
  { file, natural, predicted, schedules }: KnownTest,
  finding: Finding,
  minimal: Schedule,
  means: Means,
): Promise<LoopExplanation> {
  const { inTime, isOver, run } = means;
  const failing = await means.recordFailing(minimal);
  const found = pointsOf(finding, predicted, natural, failing);
  // What it is comes before all that bears it out.
  const timing =
    failing &&
    (await means.classify((run) =>
      timingOf(
        finding.result,
        natural,
        failing,
        interruptedIn(found, finding.result, natural, failing, file),
        run,
        file,
      ),
    ));
  const isUndecided = timing === null && means.isCut();
  const flip = failing && met(timing, turnedIn(failing, natural, finding.result.failure?.stack));
  const shown = readOff(failing, natural, finding.result.failure?.stack);
  const choosing = { ...shown, predicted, schedules, turned: flip, run, isOver };
  const unchosen = { points: likely(found), fix: null };
  const { points, fix } = await inTime(() => leadingPoints(finding, found, choosing), unchosen);
  const isNatural = finding.schedule.id === NATURAL;
  const late = isNatural && failing && !timing?.told ? lateSleep(natural, failing, file) : null;
  const isTorn = timing?.told?.rule === 'sleep' && failing && isTornRead(points[0], fix, failing, file);
  const told = isTorn ? { ...timing, told: null } : timing;
  const nearest = () => counterfactualOf(finding, natural, failing, means, timing?.near);
  return {
    minimal,
    natural,
    failing,
    points,
    flip,
    fix,
    timing: late ? { told: late, latency: null, near: null } : told,
    isUndecided: isUndecided && !late,
    network: await inTime(() => networkOf(finding, failing, means), null),
    counterfactual: await inTime(nearest, null),
    witness: await means.witness(failing),
  };
}

/** Accesses in the other order tell it, but for a time-out that naturally is never over. */
export const met = (timing: Timing | null, turned: Flip | null): Flip | null =>
  timing?.collision?.collision === 'late' ? timing.collision : (turned ?? timing?.collision ?? null);

/** The same finding after the test: by now more orders have failed alike, which the class and the fix have to hold for. */
export async function explainAgain<Kept extends LoopExplanation>(
  test: JudgedTest,
  finding: Finding,
  kept: Kept,
  means: Means,
): Promise<Kept> {
  const { inTime } = means;
  const { orders, variants } = finding;
  const check = () => mending(finding, kept.points, [...test.predicted, ...variants], orders, means);
  // What two variables tell was checked for them alone.
  const isOfOne = kept.points[0]?.other === undefined;
  const { points, fix } = isOfOne ? await inTime(check, kept) : kept;
  // What there is no time to look at again stays what it is.
  const isLate = kept.timing?.told?.rule === 'late';
  const isTiming =
    isLate || (kept.timing?.told && (await inTime(() => remains(test, finding, kept, means), true)));
  const timing = kept.timing?.told && !isTiming ? null : kept.timing;
  // By now more orders have failed alike.
  const again = () => networkOf(finding, kept.failing, means);
  const network = kept.network ? await inTime(again, kept.network) : kept.network;
  return { ...kept, points, fix, timing, network };
}

/**
 * What goes on behind a sleep of the test only looks; but where that is an operation beside the one which changes two variables, and finds
 * them as they never should be, any other reader would. Of what the test counts itself, in its `file`, there is no other one.
 */
function isTornRead(
  point: CutPoint | undefined,
  fix: FixCheck | null,
  failing: Trace,
  file: string,
): boolean {
  if (!point?.other || !isMended(fix)) return false;
  if (aboutWhat([point], file) === 'tests') return false;
  const { activations, events } = failing;
  const reader = transactions(activations).strandOf(events.activation[point.remote.event] ?? 0);
  return activations[reader]?.kind !== 'root';
}

function networkOf(finding: Finding, failing: Trace | null, means: Means): Promise<boolean | null> {
  const { isOver, runStrictly } = means;
  return runStrictly ? needsNetwork(finding, failing, runStrictly, isOver) : Promise.resolve(null);
}

/** Whether the orders that failed alike since then say no more than the first one, that a sleep is too short. */
function remains(
  { file, lastRun, schedules }: JudgedTest,
  { result, schedule }: Finding,
  { natural, points, timing }: LoopExplanation,
  { isOver, record, run }: Means,
): Promise<boolean> {
  // Where the same sleep is too short as well, what else changed places there may be beside the matter.
  const sleep = timing?.near ? new Set([requestOf(timing.near.step)]) : new Set<string>();
  const isTooShort = (steps: readonly string[]): boolean =>
    earlySleeps(steps, natural.steps, sleep).length > 0;
  const failed = schedules.filter(
    (s) => s.schedule.id !== schedule.id && (s.verdict === 'confirmed' || s.verdict === 'deadlock'),
  );
  // What was predicted aims at a race, and a sleep is too short where much is late: one error may come of both.
  const alike = failed
    .sort((a, b) => Number(b.schedule.cutPoint !== null) - Number(a.schedule.cutPoint !== null))
    .flatMap((s) => lastRun(s.schedule.id) ?? [])
    .filter((other) => fingerprintOf(other) === fingerprintOf(result) && !isTooShort(other.steps))
    .sort((a, b) => latenessOf(a) - latenessOf(b));
  const orders = new Map(alike.map(({ steps }) => [steps.join('\n'), steps]));
  orders.delete(result.steps.join('\n'));
  return allAreTiming([...orders.values()], natural, aboutWhat(points, file), record, run, isOver, file);
}

/** For how long something has to be late, or the process has to stand still, for an order, ms. */
const latenessOf = ({
  requiredPauseMs,
  requiredStallMs,
}: Pick<RunResult, 'requiredPauseMs' | 'requiredStallMs'>): number =>
  Math.max(requiredPauseMs, requiredStallMs);

/** The nearest order that passes each time, in fresh processes, in words. */
async function counterfactualOf(
  { result, confirmation: { times } }: Finding,
  natural: Trace,
  failing: Trace | null,
  { isOver, run, runFresh }: Means,
  known?: Counterfactual | null,
): Promise<ReportBug['counterfactual']> {
  const traces = failing ? [failing, natural] : [natural];
  const taskOf = (step: string): string => taskOfStep(traces, step);
  const passesEachTime = async ({ steps }: Counterfactual): Promise<boolean> => {
    for (let i = 0; i < times; i++) if ((await runFresh(forced(steps))).outcome !== 'pass') return false;
    return true;
  };
  const near =
    known && (await passesEachTime(known))
      ? known
      : await nearestPassing(result.steps, natural.steps, taskOf, run, isOver, passesEachTime);
  if (!near) return null;
  const [step = '', anchor = ''] = stepsInWords(traces, near.step, near.anchor);
  const { now, block } = near;
  return { step, now, anchor, block, passed: `${times}/${times}` };
}
