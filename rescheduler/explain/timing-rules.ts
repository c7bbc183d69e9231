/**
 * Which failures only say that a test's own fixed time is too short: the timing-dependent tests. They are true, on plain
 * Node, too, and something else than a race between operations.
 *
 * | own sleep went off early | the test's own after it | patient | earlier still | stands still    | latencies | class  |
 * |---|---|---|---|---|---|---|
 * | yes | yes | passes | fails or cannot be | –   | –   | timing |
 * | yes | yes | passes | passes             | no  | –   | race: it fails in between only |
 * | given, expired, outlasted | –  | passes | fails or cannot be | –   | –   | timing |
 * | yes | no  | –      | –                  | no  | –   | race: what goes on acts on what others use |
 * | yes | yes | fails  | –                  | no  | –   | race: the sleep is a bystander |
 * | no  | –   | –      | –                  | no  | –   | race |
 * | –   | –   | –      | –                  | yes | no  | timing |
 * | –   | –   | –      | –                  | yes | yes | race: the timers stand for the latency of operations |
 *
 * *Went off early*: before what it naturally comes after, or what only the failing order has and does not follow from it.
 * *The test's own*: what goes on only looks or cleans up, or is the next round of a loop of the test, where nothing that belongs
 * together is interrupted, and in both cases nothing is changed or ended that an operation of the code under test goes on with
 * (`collisions.ts`); or the test ends in the very turn, which was set by its file and by no operation, or by one where it only looks and
 * nothing is interrupted; or the test hangs, waits for no lock, nothing that is seen came in another order, something has to be late by 50 ms
 * and more, and no code under test runs behind the sleep; or the code under test has not run since the sleep was set, and runs
 * behind it only for connections that the test has asked for (`before-all.ts`), something has to be late by 50 ms and more, and nothing that belongs together is interrupted. *Given*: no sleep, but a
 * timer of the code under test whose time is written in the test's file, goes off early; something has to be late by 50 ms and
 * more for that, or no accesses come in another order; nothing that belongs together is interrupted, and no late success does again
 * what the time-out has done. *Expired*: the same of any timer of the code under test, where that throws an error of its own making, and this tells of a time-out or no accesses
 * come in another order: it says by itself that its time was over. Where the error tells of a time-out, what counts is how long that is,
 * and whatever is interrupted is beside the matter. *Outlasted*: any timer that naturally never goes off, for the test is
 * over long before; that something takes so long is an incident, and the error tells of a time-out or no accesses come in another order.
 * *Patient*: the same order, in which the sleep waits for all that it had overtaken, and so do others of its kind among these.
 * What follows only from its being early need not come then. *Earlier still*: the passing order, in which the sleep goes off at once, with
 * what follows from it; it says nothing where the failing statement looks only at what the tests write (their counts), and of times that
 * are no sleeps only where accesses come in another order. *Stands still*: for 50 ms and
 * more; for 5 ms and more where nothing changes places but fixed times, of each two of which the body of the test waits for one or its
 * file sets both, or gives their times, or of which it sets or gives one and a helper of the tests sets the other, or of which one is set
 * by the tests and overtakes a yield, or both by one stand-in of the tests as *latencies* has it, and nothing that belongs together is
 * interrupted; or where both are times by which the tests pace what they do with the code under test, set by functions of theirs that
 * none of it has called and behind which these go on, or time-outs that they give, over in one of the two runs and cleared in the other,
 * and what is interrupted is state that only the code under test changes, while no late success comes behind them: then their order is all
 * that the test relies on.
 * *Latencies*: timers inside operations, but for yields, the timers of 0 and 1 ms that the code under test sets, and for those that the
 * tests set at one place, where no accesses are interrupted or come in another order and the test does not hang, or two lists are compared
 * that have the same in another order, which the tests have made and filled; and for two that pace. What helpers of the tests keep is
 * interrupted only where the failing statement depends on it. A time-out is no *given*, *expired* or *outlasted* one where the test hangs
 * and has begun something in the code under test behind it.
 */

import { deliveryOf, EVERYTHING_ELSE, isDelivery, numbered, requestOf } from '../../data/schedule-step.ts';

/** A pause of the CPU between two statements from which on it takes the process standing still, ms. */
const STANDS_STILL_MS = 50;
/** The same where the order of fixed times is all that fails; below it, it may happen in any run. */
const FIXED_ORDER_MS = 5;
/** What is late by so much takes an incident, ms: see the scale of likelihoods. */
const INCIDENT_MS = 500;
/** Clocks are cut to whole ms: between two fixed times that are 50 ms apart a pause of 49 ms may do. */
const CUT_MS = 1;

/** What is known of a failing order. */
export interface TimingFacts {
  /** A sleep of the test's own, or a time that it gives, that went off before what it naturally comes after; null: none did. */
  readonly sleep: {
    /** A time that the test gives, as the table says. */
    readonly isGiven: boolean;
    /** A time of the code under test that this says itself was over, as the table says. */
    readonly isExpired: boolean;
    /** A time that is naturally never over, as the table says. */
    readonly isOutlasted: boolean;
    /** What goes on after it is the test's own, as the table says. */
    readonly isOwn: boolean;
    /** The test passes when the sleep is patient. */
    readonly patientPasses: boolean;
    /** The test passes when it goes off earlier still. */
    readonly earlierPasses: boolean;
  } | null;
  /** The pause of the CPU that the order takes, ms. */
  readonly pauseMs: number;
  /** Only fixed times that the test relies on change places, as the table says, and no accesses that belong together are interrupted. */
  readonly onlyTimes: boolean;
  /** All timers that overtook others stand for the latency of operations that race. */
  readonly latencies: boolean;
}

/** Whether it takes a busy machine that something is late by so much. */
export const takesBusyMachine = (lateMs: number): boolean => lateMs >= STANDS_STILL_MS - CUT_MS;

/** Whether it takes an incident that something is late by so much. */
export const takesIncident = (lateMs: number): boolean => lateMs >= INCIDENT_MS;

/** Which of the rules makes it a timing-dependent test; null: it is a race. */
export function timingRule({
  sleep,
  pauseMs,
  onlyTimes,
  latencies,
}: TimingFacts): 'sleep' | 'given' | 'expired' | 'outlasted' | 'pause' | null {
  if (sleep?.patientPasses && !sleep.earlierPasses) {
    if (sleep.isOwn) return 'sleep';
    if (sleep.isGiven) return 'given';
    if (sleep.isExpired) return 'expired';
    if (sleep.isOutlasted) return 'outlasted';
  }
  if (onlyTimes ? pauseMs < FIXED_ORDER_MS : !takesBusyMachine(pauseMs)) return null;
  return latencies ? null : 'pause';
}

/** A sleep in an order, and what it overtook there. */
export interface Early {
  /** Its delivery, by stable name. */
  readonly step: string;
  readonly at: number;
  /** What naturally comes before it and does not here, and what is new here and does not follow from it, in the order in which it comes. */
  readonly overtaken: readonly string[];
  /** None of that came before the run ended. */
  readonly isLeft?: true;
}

/**
 * The sleeps of an order that went off before what they naturally come after, the first one in front. `following`: requests that follow
 * from the turn of a timer; `left`: those that it does not wait for, which are under way as it goes off, and as the run ends.
 */
export function earlySleeps(
  failing: readonly string[],
  natural: readonly string[],
  own: ReadonlySet<string>,
  following: (timer: string) => ReadonlySet<string> | null = () => null,
  left: (timer: string) => readonly string[] = () => [],
): Early[] {
  const usual = numbered(natural);
  const taken = numbered(failing);
  const place = new Map(usual.map((step, at) => [step, at]));
  const isTaken = new Set(taken);
  const rank = (step: string): number => place.get(step) ?? Number.POSITIVE_INFINITY;
  return failing.flatMap((step, at) => {
    if (!isDelivery(step) || !own.has(requestOf(step))) return [];
    const usualPlace = rank(taken[at]!);
    const after = place.has(taken[at]!) ? following(requestOf(step)) : null;
    const isNew = (other: string, i: number): boolean =>
      after !== null && !place.has(taken[i]!) && !after.has(requestOf(other)) && !own.has(requestOf(other));
    const behind = failing.filter((other, i) => i > at && (rank(taken[i]!) < usualPlace || isNew(other, i)));
    const missing = natural.filter((_, i) => i < usualPlace && !isTaken.has(usual[i]!));
    const overtaken = [...behind, ...missing];
    if (overtaken.length > 0) return [{ step, at, overtaken }];
    const pending = place.has(taken[at]!) ? left(requestOf(step)).map(deliveryOf) : [];
    return pending.length > 0 ? [{ step, at, overtaken: pending, isLeft: true }] : [];
  });
}

/** Of several the one to try first: the last that may decide, for behind loops that poll comes the one before the test looks. */
export const likeliest = (
  sleeps: readonly Early[],
  mayDecide: (early: Early) => boolean,
): Early | undefined => sleeps.findLast(mayDecide) ?? sleeps[0];

/**
 * The order in which this sleep waits for all that it overtook. One that is not in the natural order never goes off. `others`: of its kind;
 * those that it overtook wait as well, or they would come too early for it to wait for them.
 */
export function patient(
  failing: readonly string[],
  natural: readonly string[],
  { at, isLeft, overtaken, step }: Early,
  others: ReadonlySet<string> = new Set(),
): string[] {
  // From there on as observed: what is under way comes, with what follows from it, and then the sleep.
  if (isLeft) return failing.slice(0, at);
  const order = [...failing.slice(0, at), ...waiting(overtaken, natural, others)];
  return natural.includes(step) ? [...order, step] : order;
}

/** The same steps, of which `sleeps` come behind what they naturally come behind. */
function waiting(
  steps: readonly string[],
  natural: readonly string[],
  sleeps: ReadonlySet<string>,
): readonly string[] {
  const isSleep = (step: string): boolean => isDelivery(step) && sleeps.has(requestOf(step));
  const order = steps.filter((step) => !isSleep(step));
  for (const sleep of steps.filter(isSleep)) {
    const before = new Set(natural.slice(0, natural.indexOf(sleep)));
    const own = steps.slice(0, steps.indexOf(sleep));
    const last = order.findLastIndex((step) => before.has(step) || own.includes(step));
    order.splice(last + 1, 0, sleep);
  }
  return order;
}

/**
 * The natural order up to where the sleep is set, `issuedAt`; it goes off at once, and so does what follows from it, as far
 * as that waits for nothing of what naturally comes before: the sleeps, too, by which it tries again in the failing order.
 */
export function impatient(
  natural: readonly string[],
  failing: readonly string[],
  issuedAt: number,
  { step, at: failingAt, overtaken }: Early,
  own: ReadonlySet<string>,
): string[] {
  const at = natural.indexOf(step);
  const before = at < 0 ? overtaken : natural.slice(issuedAt, at);
  const usual = new Set(natural);
  const again = failing
    .slice(failingAt + 1)
    .filter((other) => isDelivery(other) && own.has(requestOf(other)) && !usual.has(other));
  const sleeps = [step, ...again].flatMap((sleep) => [sleep, EVERYTHING_ELSE]);
  return [...natural.slice(0, issuedAt), ...sleeps, ...before];
}

/** The same for a sleep by which a loop waits between its rounds: all that are left go off one after the other. */
export function hurried(
  natural: readonly string[],
  issuedAt: number,
  step: string,
  rounds: ReadonlySet<string>,
): string[] {
  const isRound = (other: string): boolean => isDelivery(other) && rounds.has(requestOf(other));
  return [...natural.slice(0, issuedAt), ...natural.slice(natural.indexOf(step)).filter(isRound)];
}
