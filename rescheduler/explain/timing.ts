/** Whether a finding is a race, or says that a test's own fixed time is too short: facts from runs, judged by the table. */
import type { ReportBug } from '../../data/report.ts';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import { deliveryOf, isDelivery, requestOf, spell } from '../../data/schedule-step.ts';
import { isOfTests } from '../../data/test-files.ts';
import { EventKind, type Request, type Trace } from '../../data/trace.ts';
import type { Flip } from '../../predictor/flip.ts';
import {
  followsOf,
  type Overtaking,
  type OwnTimers,
  onlyLooks,
  overtakings,
  ownTimers,
} from '../../predictor/own-timers.ts';
import { taskPath } from '../../predictor/task-name.ts';
import { placeOfStep, stepsInWords, whatOfStep } from '../../report/rows.ts';
import { agree, type Counterfactual, forced } from '../investigate/counterfactual.ts';
import type { Recording } from '../subjects/protocol.ts';
import { type Collisions, collisions } from './collisions.ts';
import type { Interrupted } from './points.ts';
import { pacingTimers, testedTimers } from './tested-timers.ts';
import {
  type Early,
  earlySleeps,
  hurried,
  impatient,
  likeliest,
  patient,
  type TimingFacts,
  takesBusyMachine,
  takesIncident,
  timingRule,
} from './timing-rules.ts';
import { turnedIn } from './turned.ts';

/** A timer of no more than this lets others run and stands for no latency, where the code under test sets it, ms. */
const YIELD_MS = 1;
/** So much of a time yields leave. */
const LEFT_BY_YIELDS = 0.8;
/** So many sleeps of one order are made patient. */
const MOST_SLEEPS = 4;

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

interface BothTimers {
  readonly failing: OwnTimers;
  readonly natural: OwnTimers;
}

const allOf = ({ failing, natural }: BothTimers): ReadonlySet<string> =>
  new Set([...failing.names, ...natural.names]);

type RunSpec = (spec: StrategySpec) => Promise<RunResult>;

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
  const own = { failing: ownTimers(failing), natural: ownTimers(natural) };
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
    return setIn !== undefined && (setIn === file || isOfTests(setIn));
  };
  const isUnmet = (timer: Request): boolean =>
    isOfTest(timer) && !traces.some((trace) => entersProduct(trace, timer.name, file));
  const isDeadlock = result.outcome === 'deadlock';
  const unmet = isUntouched && isDeadlock ? timersOf(traces, isUnmet) : NONE.all;
  const others = {
    ...{ deciding, expired, isMoved, outlasted, unmet, given: tested.given },
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
    paces.has(name) || (timers.given.has(name) && isTimeOutIn(traces, name));
  const isPacedPair = ({ early, late }: Overtaking): boolean =>
    interruption === 'product' &&
    [early, late].every((timer) => isPaced(timer) && others.collisions.lateFor(timer.name) === null);
  const pair = stood(natural, failing, own, interrupted, isYield, isPacedPair);
  // Where the host answers nothing but what tests pace, a time that takes several of them in turn is paced, too.
  const isAllPaced =
    interruption === 'product' &&
    traces.every(({ requests }) =>
      requests.every((request) => request.kind === 'timer' && (isPaced(request) || isYield(request))),
    );
  const ofBody = allOf(own);
  const isOfBody = ({ name }: Request): boolean => ofBody.has(name);
  const isOfFile = (timer: Request): boolean => isInTest(timer) || (!isCut && timers.given.has(timer.name));
  const isFixed = (one: Request, other: Request): boolean =>
    isOfBody(one) || (isOfFile(one) && (isOfFile(other) || isOfTest(other)));
  // Operations race on something, which need not be seen; of a test that hangs it may be an event that nobody heard.
  const isOrderOfOne =
    !interrupted &&
    !isTurned &&
    !isDeadlock &&
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
            pair.overtaken.every(isPacedPair) ||
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

/** Timers that go off in the failing order and not in the natural one. */
function neverOver(natural: Trace, failing: Trace): ReadonlySet<string> {
  const usual = new Set(natural.steps);
  const timers = new Set(failing.requests.flatMap(({ kind, name }) => (kind === 'timer' ? [name] : [])));
  const isNew = (step: string): boolean =>
    isDelivery(step) && !usual.has(step) && timers.has(requestOf(step));
  return new Set(failing.steps.filter(isNew).map(requestOf));
}

const timersOf = (traces: readonly Trace[], isMeant: (timer: Request) => boolean): ReadonlySet<string> =>
  new Set(
    traces.flatMap(({ requests }) =>
      requests.flatMap((each) => (each.kind === 'timer' && isMeant(each) ? [each.name] : [])),
    ),
  );

const delaysOf = (timers: ReadonlySet<string>, { requests }: Trace): number[] =>
  requests.filter(({ name }) => timers.has(name)).map(({ delay }) => delay);

/** Requests that follow from the turn of a timer. */
function issuedAfter(trace: Trace, timer: string): ReadonlySet<string> {
  const { events, requests } = trace;
  const follows = followsOf(
    trace,
    requests.find(({ name }) => name === timer),
  );
  const issued = (_: unknown, at: number): string[] =>
    events.kind[at] === EventKind.Issue && follows[at] ? [requests[events.object[at] as number]!.name] : [];
  return new Set(follows.flatMap(issued));
}

/** A lock that was asked for was never given. */
function waitsForLock({ events }: Trace): boolean {
  const times = (kind: EventKind): number =>
    events.kind.reduce((sum, each) => sum + Number(each === kind), 0);
  return times(EventKind.Wait) > times(EventKind.Acquire);
}

/** Whether a timer is over in one of two runs and cleared in the other. A latency is waited for in both. */
const isTimeOutIn = (traces: readonly Trace[], timer: string): boolean =>
  traces.some(({ requests }) => requests.some(({ name, takenBack }) => name === timer && takenBack >= 0)) &&
  traces.some(({ steps }) => steps.includes(deliveryOf(timer)));

/** Whether anything of the code under test runs behind a timer. `file`: of the test. */
function entersProduct(trace: Trace, timer: string, file: string): boolean {
  const { events, requests, sites } = trace;
  const isProduct = sites.map((site) => site.file !== file && !isOfTests(site.file));
  const follows = followsOf(
    trace,
    requests.find(({ name }) => name === timer),
  );
  return follows.some((isBehind, i) => isBehind && isProduct[events.site[i] as number] === true);
}

/** Work of the pool that the natural order does not have, under way as a timer goes off, and as the run ends. */
export function leftBy({ events, requests, steps }: Trace, natural: Trace, timer: string): string[] {
  const known = new Set([...steps, ...natural.steps]);
  const left: string[] = [];
  for (let i = 0; i < events.length; i++) {
    const request = requests[events.object[i] as number];
    if (!request) continue;
    if (events.kind[i] === EventKind.Turn && request.name === timer) return left;
    if (events.kind[i] !== EventKind.Issue || request.kind !== 'pool' || request.takenBack >= 0) continue;
    if (!known.has(deliveryOf(request.name))) left.push(request.name);
  }
  return [];
}

/** At most one of both is known. */
interface SleepLook {
  readonly early: EarlySleep | null;
  /** What makes it a race. */
  readonly collision: Flip | null;
}

const NOTHING: SleepLook = { early: null, collision: null };

interface EarlySleep {
  readonly step: string;
  /** Of what it overtook, the step that tells it. */
  readonly anchor: string;
  readonly facts: NonNullable<TimingFacts['sleep']>;
  readonly near: Counterfactual;
}

/** Timers that are not waited for by the body of the test: the one that ends it, and those with a time that it gives. */
interface OtherTimers {
  readonly deciding: string | null;
  readonly given: ReadonlySet<string>;
  /** Of the code under test, which says itself that they were over. */
  readonly expired: ReadonlySet<string>;
  /** Those that are naturally never over. */
  readonly outlasted: ReadonlySet<string>;
  /**
   * Of the tests, where a test hangs, nothing that is seen came in another order, and no code under test runs behind them: they let no
   * operations meet.
   */
  readonly unmet: ReadonlySet<string>;
  /** Accesses come in another order, or others come between them, and no time-out is told instead. */
  readonly isMoved: boolean;
  readonly collisions: Collisions;
}

/** Makes the sleeps that went off early wait, one after the other, until the test passes. */
async function sleepOf(
  { steps, failure }: RunResult,
  natural: Trace,
  failing: Trace,
  own: BothTimers,
  { collisions, deciding, expired, given, isMoved, outlasted, unmet }: OtherTimers,
  interrupted: boolean,
  run: RunSpec,
): Promise<SleepLook> {
  // A loop of the body goes on to its next round: that is the pace of the test, where nothing that belongs together is cut.
  const isPace = (timer: string): boolean =>
    !interrupted && (own.failing.rounds.has(timer) || own.natural.rounds.has(timer));
  const ofBody = new Set([...allOf(own), ...(deciding === null ? [] : [deciding])]);
  const saidOver = new Set([...expired, ...outlasted]);
  const names = new Set([...ofBody, ...given, ...saidOver, ...unmet]);
  const isAssertion = failure?.kind === 'assertion';
  const isLooking = (timer: string): boolean =>
    timer === deciding || onlyLooks(timer, own.failing, own.natural, isAssertion) || isPace(timer);
  // What it does in the turn in which the test ends comes too late for all others.
  const cutBy = (timer: string): Flip | null => (timer === deciding ? null : collisions.cutBy(timer));
  const mayDecide = ({ step }: Early): boolean =>
    isLooking(requestOf(step)) && cutBy(requestOf(step)) === null;
  let order = steps;
  for (let nth = 0; nth < MOST_SLEEPS; nth++) {
    const sleeps = earlySleeps(
      order,
      natural.steps,
      names,
      (timer) => issuedAfter(failing, timer),
      // Of other orders than the recorded one nobody knows what they leave.
      nth === 0 ? (timer) => leftBy(failing, natural, timer) : undefined,
    );
    const early = nth === 0 ? likeliest(sleeps, mayDecide) : sleeps[0];
    if (!early) return NOTHING;
    const timer = requestOf(early.step);
    const looks = isLooking(timer);
    const isUnmet = unmet.has(timer);
    const cut = looks || isUnmet ? cutBy(timer) : null;
    const late = given.has(timer) || saidOver.has(timer) ? collisions.lateFor(timer) : null;
    const isGiven = given.has(timer) && late === null;
    const isExpired = expired.has(timer) && late === null;
    const isOutlasted = outlasted.has(timer) && late === null;
    const isOwn = (looks || isUnmet) && cut === null && !(isOutlasted && !ofBody.has(timer) && !isUnmet);
    // Nothing is run for what is a race anyway.
    if (!isOwn && !isGiven && !isExpired && !isOutlasted) return { early: null, collision: cut ?? late };
    const overtaken = early.overtaken.filter(isDelivery).map(requestOf);
    const others = overtaken.filter((other) => names.has(other) && isLooking(other) && !cutBy(other));
    const waiting = patient(order, natural.steps, early, new Set(others));
    const { outcome, followed, steps: taken } = await run(forced(waiting));
    // What came of its being early does not come now; then it has waited where it comes behind all that it naturally comes behind.
    const hasWaited = (): boolean =>
      agree(taken, order.slice(0, early.at)) &&
      earlySleeps(taken, natural.steps, new Set([timer])).length === 0;
    const waits =
      agree(taken, waiting) || (followed !== 'followed' && (agree(taken, natural.steps) || hasWaited()));
    if (outcome === 'pass' && waits) {
      // In between is what does more than look only where accesses came in another order; and what the test counts itself never is.
      const mayBeBetween = (looks || isMoved) && !collisions.areOwnCounts();
      const earlierPasses = mayBeBetween && (await passesEarlier(natural, order, early, own, saidOver, run));
      const last = early.overtaken.at(-1) ?? '';
      const { step } = early;
      const facts = { isExpired, isGiven, isOutlasted, isOwn, patientPasses: true, earlierPasses };
      const near = { step, now: 'after', anchor: last, block: true, steps: taken } as const;
      const isAnswer = (other: string): boolean => isDelivery(other) && !names.has(requestOf(other));
      const anchor = (isExpired || isOutlasted ? early.overtaken.find(isAnswer) : undefined) ?? last;
      return { early: { step, anchor, facts, near }, collision: null };
    }
    order = taken;
  }
  return NOTHING;
}

/** Whether the test passes when the sleep takes no time at all: then it fails only where it goes off in between. */
async function passesEarlier(
  natural: Trace,
  failing: readonly string[],
  early: Early,
  own: BothTimers,
  others: ReadonlySet<string>,
  run: RunSpec,
): Promise<boolean> {
  const timer = requestOf(early.step);
  const at = stepsBeforeIssue(natural, timer);
  if (at === null) return false;
  const { rounds } = own.natural;
  const steps = rounds.has(timer)
    ? hurried(natural.steps, at, early.step, rounds)
    : impatient(natural.steps, failing, at, early, new Set([...allOf(own), ...others]));
  const { outcome, followed } = await run(forced(steps));
  return outcome === 'pass' && followed === 'followed';
}

/** How many steps of the observed order come before a request is made. */
function stepsBeforeIssue({ events, requests, steps }: Trace, name: string): number | null {
  let taken = 0;
  for (let i = 0; i < events.length; i++) {
    const request = requests[events.object[i] as number];
    if (events.kind[i] === EventKind.Issue && request?.name === name) return taken;
    if (events.kind[i] !== EventKind.Effect && events.kind[i] !== EventKind.Turn) continue;
    const step = spell(events.kind[i] === EventKind.Turn ? 'deliver' : 'effect', request?.name ?? '');
    const at = steps.indexOf(step, taken);
    if (at >= 0) taken = at + 1;
  }
  return null;
}

interface Stood {
  readonly latencies: boolean;
  readonly overtaken: readonly Overtaking[];
  /** The delivery that overtook, and the overtaken one. */
  readonly steps: readonly [string, string] | readonly [];
  readonly late: Request | null;
}

/** The step that has to take longer where no process has to stand still. */
function latencyOf(
  traces: readonly Trace[],
  { latencies, late }: Stood,
  pauseMs: number,
): ReportBug['latency'] {
  if (!latencies || !late || pauseMs <= 0) return null;
  const step = deliveryOf(late.name);
  return {
    timer: whatOfStep(traces, step) ?? '',
    at: placeOfStep(traces, step),
    ms: late.delay,
    tookMs: late.delay + Math.ceil(pauseMs),
  };
}

/** The timers between whose starts the process stood still, and whether all of them are latencies of operations. */
function stood(
  natural: Trace,
  failing: Trace,
  own: BothTimers,
  interrupted: boolean,
  isYield: (timer: Request) => boolean,
  isPacedPair: (pair: Overtaking) => boolean,
): Stood {
  const pairs = overtakings(failing, natural);
  const isOwn = ({ name }: Request): boolean => own.failing.names.has(name) || own.natural.names.has(name);
  const acts = (timer: Request): boolean => {
    if (!isOwn(timer)) return true;
    const seen = own.failing.after(timer.name).fired ? own.failing : own.natural;
    return !onlyLooks(timer.name, seen, own.natural, true);
  };
  const areApart = ({ early, late }: Overtaking): boolean =>
    isOwn(early) || isOwn(late) || taskPath(failing, early.activation) !== taskPath(failing, late.activation);
  // A sleep of the body's own takes its time, unless it stands for when an operation begins that comes between others.
  const mayBeLate = (late: Request): boolean => interrupted || !isOwn(late);
  const isTick = ({ name }: Request): boolean => own.failing.ticks.has(name) || own.natural.ticks.has(name);
  const isLatency = (pair: Overtaking): boolean =>
    ![pair.early, pair.late].some(isTick) &&
    !isYield(pair.late) &&
    !isPacedPair(pair) &&
    mayBeLate(pair.late) &&
    acts(pair.early) &&
    acts(pair.late) &&
    areApart(pair);
  const other = pairs.find((pair) => !isLatency(pair)) ?? pairs[0];
  return {
    latencies: pairs.length > 0 && pairs.every(isLatency),
    overtaken: pairs,
    steps: other ? [deliveryOf(other.early.name), deliveryOf(other.late.name)] : [],
    late: other?.late ?? null,
  };
}

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
