/** Whether a finding is a race, or says that a test's own fixed time is too short: facts from runs, judged by the table. */
import type { ReportBug } from '../../data/report.ts';
import type { RunResult } from '../../data/run.ts';
import { deliveryOf } from '../../data/schedule-step.ts';
import { isBesideTest } from '../../data/test-files.ts';
import type { Request, Trace } from '../../data/trace.ts';
import type { Flip } from '../../predictor/flip.ts';
import { type Overtaking, onlyLooks, ownTimers } from '../../predictor/own-timers.ts';
import { placeOfStep, stepsInWords, whatOfStep } from '../../report/rows.ts';
import type { Counterfactual } from '../investigate/counterfactual.ts';
import type { Recording } from '../subjects/protocol.ts';
import { comesBeforeAll } from './before-all.ts';
import { collisions } from './collisions.ts';
import { allOf, type BothTimers, NOTHING, type RunSpec, sleepOf } from './early-sleeps.ts';
import type { Interrupted } from './points.ts';
import {
  delaysOf,
  enteringProduct,
  fillsInAnotherOrder,
  firings,
  isTimeOutIn,
  lastBeginning,
  neverOver,
  timersOf,
  waitsForLock,
} from './run-facts.ts';
import { latencyOf, stood } from './standing.ts';
import { pacingTimers, testedTimers } from './tested-timers.ts';
import { type TimingFacts, takesBusyMachine, takesIncident, timingRule } from './timing-rules.ts';
import { turnedIn } from './turned.ts';

/** A timer of no more than this lets others run and stands for no latency, where the code under test sets it, ms. */
const YIELD_MS = 1;
/** So much of a time yields leave. */
const LEFT_BY_YIELDS = 0.8;

export interface Timing {
  /** null: it is a race. */
  readonly told: ReportBug['timing'];
  /** Of a race: the latency of an operation that the order needs. */
  readonly latency: ReportBug['latency'];
  /** The order that passes because the sleep is patient. */
  readonly near: Counterfactual | null;
  /** Of a race: what collided because a timer was over early. */
  readonly collision?: Flip | null;
}

/**
 * `result`: of the failing order, `failing`: the same order recorded; `interruption`: accesses that belong together explain it;
 * `file`: of the test. These are a few runs, and all of them are needed: half an answer would be the wrong one.
 */
export async function timingOf(
  result: RunResult,
  natural: Trace,
  failing: Trace,
  interruption: Interrupted | null,
  run: RunSpec,
  file: string,
): Promise<Timing> {
  const interrupted = interruption !== null;
  const own = { failing: ownTimers(failing, file), natural: ownTimers(natural, file) };
  const traces = [failing, natural];
  const isInTest = ({ name }: Request): boolean => placeOfStep(traces, deliveryOf(name))?.file === file;
  const deciding = decidingOf(own, interrupted, result.failure, isInTest);
  const { requiredPauseMs, requiredStallMs } = result;
  const lateMs = Math.max(requiredPauseMs, requiredStallMs);
  // An error that tells of a time-out was made by that, whatever else changed places: what was waited for took all of that time, of
  // which the natural order takes a part.
  const isTimeOut = saysTimeOut(result.failure);
  const tookMs = isTimeOut ? Math.max(lateMs, ...delaysOf(neverOver(natural, failing), failing)) : lateMs;
  const isCut = interrupted && !isTimeOut;
  const isTurned = turnedIn(failing, natural, result.failure?.stack) !== null;
  const isBusy = takesBusyMachine(tookMs);
  const timers = testedTimers(file, traces);
  const tested = !isCut && (isBusy || !isTurned) ? timers : NONE;
  // What the code under test says by itself when its own time is over is no matter of who came between.
  const isMoved = isCut || (isTurned && !isTimeOut);
  const isUntouched = isBusy && !isMoved;
  const expired = isUntouched && saysItself(result.failure) ? tested.all : NONE.all;
  const outlasted = isUntouched && takesIncident(lateMs) ? neverOver(natural, failing) : NONE.all;
  const isOfTest = ({ name }: Request): boolean => {
    const setIn = placeOfStep(traces, deliveryOf(name))?.file;
    return setIn !== undefined && isBesideTest(setIn, file);
  };
  const isDeadlock = result.outcome === 'deadlock';
  // Of a test that hangs, a time-out tells nothing where the tests have begun something anew behind it.
  const [begun, fired] = isDeadlock ? [lastBeginning(failing, file), firings(failing)] : [-1, NEVER];
  const isBehindAll = (timer: string): boolean => (fired.get(timer) ?? begun) >= begun;
  const entering = isDeadlock ? traces.map((trace) => enteringProduct(trace, file)) : [];
  const isUnmet = (timer: Request): boolean =>
    isOfTest(timer) && !entering.some((names) => names.has(timer.name));
  const unmet = isUntouched && isDeadlock ? timersOf(traces, isUnmet) : NONE.all;
  const isFirst = (timer: string): boolean => comesBeforeAll(failing, timer, file);
  const ofBody = allOf(own);
  // Asked for few of them: a run that goes round has thousands.
  const beforeAll = { has: (timer: string) => isBusy && !isCut && ofBody.has(timer) && isFirst(timer) };
  const others = {
    ...{ beforeAll, deciding, isMoved, unmet },
    ...{
      expired: only(expired, isBehindAll),
      outlasted: only(outlasted, isBehindAll),
      given: only(tested.given, isBehindAll),
    },
    collisions: collisions(result, natural, failing, file),
  };
  // Who waits for a lock for ever would wait for it whatever had let others come between.
  const look =
    isDeadlock && waitsForLock(failing)
      ? NOTHING
      : await sleepOf(result, natural, failing, own, others, interrupted, run);
  const { collision, early } = look;
  const isYield = ({ delay, name }: Request): boolean => delay <= YIELD_MS && timers.all.has(name);
  // What the tests pace by themselves are no operations of the code under test, and what comes between these is beside the matter.
  const paces = pacingTimers(file, traces);
  const isPaced = ({ name }: Request): boolean =>
    interruption === 'product' &&
    (paces.has(name) || (timers.given.has(name) && isTimeOutIn(traces, name))) &&
    others.collisions.lateFor(name) === null;
  const pair = stood(natural, failing, own, interrupted, isYield, isPaced);
  // Where the host answers nothing but what tests pace, a time that takes several of them in turn is paced, too.
  const isAllPaced =
    interruption === 'product' &&
    traces.every(({ requests }) =>
      requests.every((request) => request.kind === 'timer' && (isPaced(request) || isYield(request))),
    );
  const isOfBody = ({ name }: Request): boolean => ofBody.has(name);
  const isOfFile = (timer: Request): boolean => isInTest(timer) || (!isCut && timers.given.has(timer.name));
  const isFixed = (one: Request, other: Request): boolean =>
    isOfBody(one) || (isOfFile(one) && (isOfFile(other) || isOfTest(other)));
  // Operations race on something, which need not be seen; of a test that hangs it may be an event that nobody heard.
  const isMixedUp = result.failure?.mixedUp === true && fillsInAnotherOrder(natural, failing, file);
  const isOrderOfOne =
    ((!interrupted && !isTurned && !isDeadlock) || isMixedUp) &&
    pair.overtaken.every(({ early, late }) => early.site === late.site && isOfTest(early));
  // Yields of the code under test take a small part of a time that they are to be over in; what begins near its end is another matter.
  const isWholeTime = ({ early, late }: Overtaking): boolean =>
    isYield(late) && requiredPauseMs >= early.delay * LEFT_BY_YIELDS;
  const facts: TimingFacts = {
    sleep: early?.facts ?? null,
    pauseMs: Math.max(requiredPauseMs, ...pair.overtaken.filter(isWholeTime).map(({ early }) => early.delay)),
    onlyTimes:
      requiredStallMs <= 0 &&
      (isAllPaced ||
        (pair.overtaken.length > 0 &&
          (isOrderOfOne ||
            pair.overtaken.every(({ early, late }) => isPaced(early) && isPaced(late)) ||
            (!interrupted &&
              pair.overtaken.every(
                ({ early, late }) =>
                  isFixed(early, late) || isFixed(late, early) || (isOfTest(early) && isYield(late)),
              ))))),
    latencies: pair.latencies && !isOrderOfOne,
  };
  const rule = timingRule(facts);
  if (rule === null)
    return { told: null, near: null, latency: latencyOf(traces, pair, requiredPauseMs), collision };
  const [step, other] = rule !== 'pause' && early ? [early.step, early.anchor] : pair.steps;
  const told = {
    rule,
    timer: step ? whatOfStep(traces, step) : null,
    at: step ? placeOfStep(traces, step) : null,
    overtaken: other ? (stepsInWords(traces, other)[0] ?? null) : null,
  };
  return { told, latency: null, near: rule === 'pause' ? null : (early?.near ?? null) };
}

/** The timer of the test's file that ends it: by its body, or where an operation calls back what only looks. */
function decidingOf(
  { failing, natural }: BothTimers,
  interrupted: boolean,
  failure: RunResult['failure'],
  isInTest: (timer: Request) => boolean,
): string | null {
  const { decisive, last } = failing;
  if (!last || !isInTest(last)) return null;
  const looks = () => onlyLooks(last.name, failing, natural, failure?.kind === 'assertion');
  return decisive || (!interrupted && looks()) ? last.name : null;
}

const only = (timers: ReadonlySet<string>, isMeant: (timer: string) => boolean): ReadonlySet<string> =>
  new Set([...timers].filter(isMeant));

const NEVER: ReadonlyMap<string, number> = new Map();
const NONE: ReturnType<typeof testedTimers> = { all: new Set(), given: new Set() };

/** Errors of the engine and of the host tell of something that nobody meant to say. */
const NOT_MEANT = /^(?:(?:Type|Range|Reference|Syntax|URI|Eval|Assertion)Error|SystemError)\b/;

/** It threw an error of its own making. */
const saysItself = (failure: RunResult['failure']): boolean =>
  (failure?.kind === 'exception' || failure?.kind === 'unhandled-rejection') &&
  !NOT_MEANT.test(failure.name) &&
  !/^E[A-Z]{2,}\b/.test(failure.message);

const saysTimeOut = (failure: RunResult['failure']): boolean =>
  saysItself(failure) && /time(?:d[ -]?|[ -]?)out/i.test(`${failure?.name} ${failure?.message}`);

/** Other orders of a finding that are looked at: one that is a race makes it one. */
const MOST_ORDERS = 6;

/** Whether all of these failing orders, as far as there is time, are timing-dependent. */
export async function allAreTiming(
  orders: readonly (readonly string[])[],
  natural: Trace,
  interrupted: Interrupted | null,
  record: (steps: readonly string[]) => Promise<Recording | null>,
  run: RunSpec,
  isOver: () => boolean,
  file: string,
): Promise<boolean> {
  for (const steps of orders.slice(0, MOST_ORDERS)) {
    if (isOver()) return true;
    const recording = await record(steps);
    if (!recording || recording.result.outcome === 'pass') continue;
    const { result, trace } = recording;
    const { told } = await timingOf(result, natural, trace, interrupted, run, file);
    if (told === null) return false;
  }
  return true;
}
