/**
 * Solves when each step of a failing order happens, such that plain Node takes the steps in this order when answers
 * come at their times and timers fire when they are due. Timers cannot be put off, what started them can: where a
 * timer would come too early, its start is moved to a later time, and all is worked out anew.
 */
import type { Moment } from './moments.ts';
import type { Stretch } from './stretches.ts';

/** What a step of the thread pool takes by itself, ms. */
export const STEP_MS = 0.3;
/**
 * Distances between a timer and its neighbours, ms, the best first: the larger, the less does the load of the
 * machine matter; the smaller, the more fits before the timer.
 */
const MARGINS = [20, 10, 5, 2, 1, 0.5];
const MOST_ROUNDS = 500;
/** A timer that has been put off so often moves with what it should come behind: that cannot be helped. */
const MOST_PUT_OFF = 16;

export interface Times {
  /** Of each step, ms of the plan. */
  readonly of: readonly number[];
  /** Timers that fire later than they are due: the process has to stand still until then. */
  readonly late: readonly number[];
  /** Timers that come too early, whatever is late. */
  readonly missed: number;
  /** How far a timer is from its neighbours, ms. */
  readonly margin: number;
}

/** `spread`: by how much longer than usual everything may take. */
export function timesOf(moments: readonly Moment[], stretches: readonly Stretch[], spread: number): Times {
  const tight = new Tight(moments, stretches);
  let best: Times | null = null;
  for (const margin of MARGINS) {
    const times = new Relaxation(moments, tight, margin * spread, STEP_MS * spread).solve();
    if (!best || times.missed < best.missed) best = times;
    if (best.missed === 0) break;
  }
  return best as Times;
}

/** When a timer is due. */
export const dueOf = ({ cause, delay }: Moment, times: readonly number[]): number =>
  (times[cause] ?? 0) + delay;

/** Steps that follow the one before in the same round of the loop, or in the next one. */
class Tight {
  /** The step after which the loop passed its timers phase last before the round of a step. */
  private readonly passed = new Map<number, number>();
  private readonly firsts = new Map<number, number>();

  constructor(moments: readonly Moment[], stretches: readonly Stretch[]) {
    for (const { head, rounds } of stretches)
      for (const [round, steps] of rounds.entries()) {
        const before = round > 0 ? rounds[round - 1]?.[0] : head < 0 ? undefined : head - 1;
        const timers = steps.filter((at) => moments[at]?.kind === 'timer');
        for (const at of steps) {
          if (at === head) continue;
          this.passed.set(at, before ?? -1);
          if (timers[0] !== undefined && timers[0] < at) this.firsts.set(at, timers[0]);
        }
      }
  }

  has(at: number): boolean {
    return this.passed.has(at);
  }

  /** The step behind which a tight timer must be due; -1: the first turn. */
  passedBefore(at: number): number {
    return this.passed.get(at) as number;
  }

  /** Whether a timer of the same phase precedes it. */
  isInPhase(at: number): boolean {
    return this.firsts.has(at);
  }
}

class Relaxation {
  private readonly moments: readonly Moment[];
  private readonly tight: Tight;
  private readonly margin: number;
  private readonly step: number;
  /** Earliest times that later steps ask for. */
  private readonly least: number[];
  private readonly given = new Set<number>();
  /** How often each timer was put off. */
  private readonly putOffs = new Map<number, number>();

  constructor(moments: readonly Moment[], tight: Tight, margin: number, step: number) {
    this.moments = moments;
    this.tight = tight;
    this.margin = margin;
    this.step = step;
    this.least = moments.map(() => 0);
  }

  solve(): Times {
    for (let round = 0; ; round++) {
      const times = this.walk(round < MOST_ROUNDS);
      if (times) return times;
    }
  }

  /**
   * One walk over the order. Null where something had to be put off: then `least` has changed. What cannot be
   * helped goes to `given` up, and the walk goes on.
   */
  private walk(mayChange: boolean): Times | null {
    const times: number[] = [];
    const late: number[] = [];
    let now = 0;
    for (const [at, moment] of this.moments.entries()) {
      const started = times[moment.cause] ?? 0;
      const asked = this.least[at] as number;
      if (moment.kind === 'timer') {
        const wanted = this.given.has(at) ? null : this.tooEarly(times, at, now);
        if (wanted !== null) {
          const before = this.putOffs.get(at) ?? 0;
          this.putOffs.set(at, before + 1);
          const mayHelp = mayChange && before < MOST_PUT_OFF;
          if (mayHelp && this.putOff(moment.cause, wanted - moment.delay)) return null;
          this.given.add(at);
        }
        const due = started + moment.delay;
        if (asked > due && !this.tight.has(at)) late.push(at);
        now = Math.max(now, due, asked);
      } else if (moment.kind === 'immediate' || moment.kind === 'close') now = Math.max(now, started);
      else if (moment.kind === 'other') now = Math.max(now, started + STEP_MS);
      else if (this.tight.has(at)) now = Math.max(now, asked);
      else now = Math.max(now + this.distance(at), started + this.step, asked);
      times.push(now);
    }
    return { of: times, late, missed: this.given.size, margin: this.margin };
  }

  /** When a timer should be due that is due too early; null where it is not. */
  private tooEarly(times: readonly number[], at: number, now: number): number | null {
    const moment = this.moments[at] as Moment;
    const due = dueOf(moment, times);
    const inPhase = this.moments[at - 1]?.kind === 'timer' && this.comesNext(times, at);
    if (!this.tight.has(at)) {
      const wanted = now + this.distance(at);
      return due >= wanted || (inPhase && due <= now) ? null : wanted;
    }
    const passed = this.tight.passedBefore(at);
    // What was started since cannot have been due.
    const floor = moment.cause >= passed ? 0 : (times[passed] ?? 0) + this.margin;
    if (due < floor) return floor;
    const before = this.moments[at - 1] as Moment;
    return !this.tight.isInPhase(at) || inPhase ? null : dueOf(before, times) + Math.max(1, this.margin);
  }

  /** How much later than the step before a step has to be. */
  private distance(at: number): number {
    const before = this.moments[at - 1];
    if (!before) return 0;
    const { kind, request, cause } = this.moments[at] as Moment;
    if (kind === 'timer' || before.kind === 'timer')
      return kind === before.kind && cause === before.cause ? 0 : this.margin;
    if (before.kind === 'effect' || before.kind === 'end' || before.kind === 'deliver')
      return before.request === request && kind === 'deliver' ? 0 : this.step;
    return this.margin;
  }

  /** Both timers are due in one timers phase: they fire by their expiry. */
  private comesNext(times: readonly number[], at: number): boolean {
    const before = this.moments[at - 1] as Moment;
    const moment = this.moments[at] as Moment;
    const difference = dueOf(moment, times) - dueOf(before, times);
    return difference > 0 || (difference === 0 && before.cause <= moment.cause);
  }

  /** Makes a step happen at `time` or later, by what it goes back to if possible; false where nothing can. */
  private putOff(step: number, time: number): boolean {
    const path: { at: number; time: number }[] = [];
    for (let at = step, then = time; at >= 0; ) {
      const { kind, cause, delay } = this.moments[at] as Moment;
      if (kind === 'other') break;
      const isMade = kind === 'immediate' || kind === 'close';
      if (!isMade) path.push({ at, time: then });
      if (!isMade && kind !== 'timer') break;
      if (kind === 'timer') then -= delay;
      at = cause;
    }
    const first = path.findLast(({ at, time: wanted }) => (this.least[at] as number) < wanted);
    if (first) this.least[first.at] = first.time;
    return first !== undefined;
  }
}
