/** Makes the fixed times that were over early in a failing order wait, one after the other, and sees whether the test passes then. */
import type { RunResult, StrategySpec } from '../../data/run.ts';
import { deliveryOf, isDelivery, requestOf, spell } from '../../data/schedule-step.ts';
import { EventKind, type Trace } from '../../data/trace.ts';
import type { Flip } from '../../predictor/flip.ts';
import { followsOf, type OwnTimers, onlyLooks } from '../../predictor/own-timers.ts';
import { agree, type Counterfactual, forced } from '../investigate/counterfactual.ts';
import type { Collisions } from './collisions.ts';
import {
  type Early,
  earlySleeps,
  hurried,
  impatient,
  likeliest,
  patient,
  type TimingFacts,
} from './timing-rules.ts';

/** So many sleeps of one order are made patient. */
const MOST_SLEEPS = 4;

export interface BothTimers {
  readonly failing: OwnTimers;
  readonly natural: OwnTimers;
}

export const allOf = ({ failing, natural }: BothTimers): ReadonlySet<string> =>
  new Set([...failing.names, ...natural.names]);

export type RunSpec = (spec: StrategySpec) => Promise<RunResult>;

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
export interface SleepLook {
  readonly early: EarlySleep | null;
  /** What makes it a race. */
  readonly collision: Flip | null;
}

export const NOTHING: SleepLook = { early: null, collision: null };

interface EarlySleep {
  readonly step: string;
  /** Of what it overtook, the step that tells it. */
  readonly anchor: string;
  readonly facts: NonNullable<TimingFacts['sleep']>;
  readonly near: Counterfactual;
}

/** Timers that are not waited for by the body of the test: the one that ends it, and those with a time that it gives. */
export interface OtherTimers {
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
  /** Of the body, over before anything has begun in the code under test that they are to wait for: see `before-all.ts`. */
  readonly beforeAll: Pick<ReadonlySet<string>, 'has'>;
  /** Accesses come in another order, or others come between them, and no time-out is told instead. */
  readonly isMoved: boolean;
  readonly collisions: Collisions;
}

/** Makes the sleeps that went off early wait, one after the other, until the test passes. */
export async function sleepOf(
  { steps, failure }: RunResult,
  natural: Trace,
  failing: Trace,
  own: BothTimers,
  { beforeAll, collisions, deciding, expired, given, isMoved, outlasted, unmet }: OtherTimers,
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
    const isFirst = beforeAll.has(timer);
    const cut = (looks || isUnmet) && !isFirst ? cutBy(timer) : null;
    const late = given.has(timer) || saidOver.has(timer) ? collisions.lateFor(timer) : null;
    const isGiven = given.has(timer) && late === null;
    const isExpired = expired.has(timer) && late === null;
    const isOutlasted = outlasted.has(timer) && late === null;
    const isOwn =
      (looks || isUnmet || isFirst) && cut === null && !(isOutlasted && !ofBody.has(timer) && !isUnmet);
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
      // Who does not only look is in between only where accesses came in another order, and who looks at the test's own counts never is.
      const mayBeBetween = (looks || isFirst || isMoved) && !collisions.areOwnCounts();
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
