/**
 * Solves when each step of a failing order happens, such that plain Node takes the steps in this order when answers
 * come at their times and timers fire when they are due. Timers cannot be put off, what started them can: where a
 * timer would come too early, its start is moved to a later time, and all is worked out anew. That
 * plain Node then takes these steps, the laboratory shows (`npm run lab`).
 */
import { type Moment, type SilentTimer, turnBefore } from './moments.ts';
import type { Starts } from './starts.ts';
import type { LoopStretch } from './stretches.ts';
import { Tight } from './tight.ts';

/** What a step of the thread pool takes by itself, ms. */
export const STEP_MS = 0.3;
/**
 * Distances between a timer and its neighbours, ms, the best first: the larger, the less does the load of the
 * machine matter; the smaller, the more fits before the timer.
 */
const MARGINS = [20, 10, 5, 2, 1, 0.5];
/** From here on the load of the machine decides: rather than that the process stands still within a turn. */
const LEAST_SURE = 2;
const MOST_ROUNDS = 500;
/** A timer that has been put off so often moves with what it should come behind: that cannot be helped. */
const MOST_PUT_OFF = 16;
/** A turn stands still before one start for so long at most, ms. */
const LONGEST_PAUSE = 500;

export interface Times {
  /** Of each step, ms of the plan. */
  readonly of: readonly number[];
  /** When timers are due, ms of the plan, by step. */
  readonly due: readonly number[];
  /** When the turns start timers, ms of the plan, by request. */
  readonly starts: ReadonlyMap<number, number>;
  /** Requests of the timers before whose start the process stands still. */
  readonly paused: readonly number[];
  /** Timers that fire later than they are due: the process has to stand still until then. */
  readonly late: readonly number[];
  /** Answers that come in one poll phase, in whose first turn the process stands still: the first and the last step. */
  readonly batches: readonly (readonly [number, number])[];
  /** Timers that come too early, whatever is late. */
  readonly missed: number;
  /** How far a timer is from its neighbours, ms. */
  readonly margin: number;
}

/** `spread`: by how much longer than usual everything may take. */
export function timesOf(
  moments: readonly Moment[],
  silent: readonly SilentTimer[],
  stretches: readonly LoopStretch[],
  starts: Starts,
  spread: number,
): Times {
  const tight = new Tight(moments, stretches);
  let best: Times | null = null;
  for (const { margin, pauses } of ATTEMPTS) {
    const distances = { margin: margin * spread, step: STEP_MS * spread };
    const times = new Relaxation(moments, silent, tight, starts, pauses, distances).solve();
    if (!best || times.missed < best.missed) best = times;
    if (best.missed === 0) break;
  }
  return best as Times;
}

/** Whether the process may stand still within a turn: never, where nothing else helps, or before anything else. */
type Pausing = 'never' | 'last' | 'first';
const PAUSES: readonly Pausing[] = ['never', 'last', 'first'];

const ATTEMPTS = [
  MARGINS.filter((margin) => margin >= LEAST_SURE),
  MARGINS.filter((m) => m < LEAST_SURE),
].flatMap((margins) => PAUSES.flatMap((pauses) => margins.map((margin) => ({ margin, pauses }))));

class Relaxation {
  private readonly moments: readonly Moment[];
  /** By the moment until which they are silent. */
  private readonly silent: ReadonlyMap<number, readonly SilentTimer[]>;
  private readonly tight: Tight;
  private readonly starts: Starts;
  private readonly pauses: Pausing;
  private readonly margin: number;
  private readonly step: number;
  /** Earliest times that later steps ask for. */
  private readonly least: number[];
  /** Timers that cannot be late. */
  private readonly prompt = new Set<number>();
  /** Timers that come too early, by request. */
  private readonly given = new Set<number>();
  /** How often each timer was put off, by request. */
  private readonly putOffs = new Map<number, number>();
  /** The earliest starts of timers that later steps ask for, and those of the present walk; by request. */
  private readonly leastStarts = new Map<number, number>();
  private started = new Map<number, number>();
  /** See {@link Times.batches}: the last step by the first. */
  private batches = new Map<number, number>();
  /** When the turns of the present walk end. */
  private ends: number[] = [];

  constructor(
    moments: readonly Moment[],
    silent: readonly SilentTimer[],
    tight: Tight,
    starts: Starts,
    pauses: Pausing,
    { margin, step }: { readonly margin: number; readonly step: number },
  ) {
    this.moments = moments;
    this.silent = Map.groupBy(silent, ({ until }) => until);
    this.tight = tight;
    this.starts = starts;
    this.pauses = pauses;
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
    this.started = new Map();
    this.batches = new Map();
    this.ends = [];
    let now = this.endOf(-1, 0);
    for (const [at, moment] of this.moments.entries()) {
      const started = times[moment.cause] ?? 0;
      const asked = this.least[at] as number;
      if (moment.kind === 'timer') {
        const due = this.dueOf(at);
        const wanted = this.given.has(moment.request) ? null : this.tooEarly(times, at, now);
        if (wanted !== null) {
          const mayHelp = mayChange && this.mayMove(moment);
          if (mayHelp && (this.join(at, now) || this.startLater(moment, at, wanted))) return null;
          this.given.add(moment.request);
        }
        if (mayChange && asked > now && due <= now) {
          this.keepBehind(times, at, asked);
          return null;
        }
        if (asked > due && !this.tight.has(at)) late.push(at);
        now = Math.max(now, due, asked);
      } else if (moment.kind === 'immediate' || moment.kind === 'close') now = Math.max(now, started);
      else if (moment.kind === 'other') now = Math.max(now, started + STEP_MS);
      else if (this.tight.has(at)) now = Math.max(now, asked);
      else now = Math.max(now + this.distance(at), started + this.step, asked);
      times.push(now);
      for (const timer of this.silent.get(at) ?? []) {
        const wanted = this.given.has(timer.request) ? null : this.speaks(times, timer);
        if (wanted === null) continue;
        if (mayChange && this.mayMove(timer) && this.startLater(timer, at, wanted)) return null;
        this.given.add(timer.request);
      }
      now = this.endOf(at, now);
      this.ends.push(now);
    }
    return {
      of: times,
      due: this.moments.map(({ kind }, at) => (kind === 'timer' ? this.dueOf(at) : Number.NaN)),
      starts: this.started,
      paused: [...this.leastStarts.keys()],
      late,
      batches: [...this.batches],
      missed: this.given.size,
      margin: this.margin,
    };
  }

  /** The end of a turn that begins at `now`, and when it starts its timers. */
  private endOf(turn: number, now: number): number {
    let end = now;
    for (const timer of this.starts.of(turn)) {
      end = Math.max(end, this.leastStarts.get(timer) ?? 0);
      this.started.set(timer, end);
    }
    return end;
  }

  private dueOf(at: number): number {
    return this.dueAt(this.moments[at] as Moment);
  }

  private dueAt({ request, delay }: Moment): number {
    return (this.started.get(request) ?? 0) + delay;
  }

  private mayMove({ request }: Moment): boolean {
    const before = this.putOffs.get(request) ?? 0;
    this.putOffs.set(request, before + 1);
    return before < MOST_PUT_OFF;
  }

  /** Has a timer that should fire at a step start later, by what it goes back to or by a pause; false: nothing can. */
  private startLater(timer: Moment, at: number, due: number): boolean {
    const start = due - timer.delay;
    const mayPause = this.pauses !== 'never';
    if (mayPause && (this.pauses === 'first' || this.movesWith(timer, at)))
      return this.pauseBefore(timer, start);
    return this.putOff(timer.cause, start) || (mayPause && this.pauseBefore(timer, start));
  }

  /** A timer that is due when the turn before ends fires right behind it: it is late with a timer, or not at all. */
  private keepBehind(times: readonly number[], at: number, asked: number): void {
    const before = turnBefore(this.moments, at);
    if (this.moments[before]?.kind === 'timer' && this.dueOf(at) <= (times[before] as number))
      this.least[before] = asked;
    else {
      this.prompt.add(at);
      this.least[at] = 0;
    }
  }

  /** When a timer should be due that would fire before it is taken back; null where it does not. */
  private speaks(times: readonly number[], timer: SilentTimer): number | null {
    const { until } = timer;
    const last = this.moments[until] as Moment;
    const due = this.dueAt(timer);
    // Lists run by their expiry: the timer that takes it back is the first.
    const isBehind =
      last.kind === 'timer' &&
      (last.delay === timer.delay ? last.request < timer.request : due - this.dueOf(until) >= 1);
    const passed = this.tight.has(until) ? this.tight.passedBefore(until) : until;
    const wanted = (times[passed] ?? 0) + this.margin;
    return isBehind || timer.cause >= passed || due >= wanted ? null : wanted;
  }

  /**
   * Whether what a timer should come behind moves with the turn that starts it: it goes back to that turn, by timers
   * that take no less.
   */
  private movesWith({ cause, delay }: Moment, end: number): boolean {
    const after = new Map([[cause, 0]]);
    for (let at = cause + 1; at < end; at++) {
      const moment = this.moments[at] as Moment;
      const before = after.get(moment.cause);
      if (before === undefined) continue;
      after.set(at, before + moment.delay);
      if (before + moment.delay + this.margin > delay) return true;
    }
    return false;
  }

  /** Has the process stand still before it starts a timer; false where that does not help. */
  private pauseBefore({ request, cause }: Moment, start: number): boolean {
    const begin = this.started.get(this.starts.of(cause)[0] as number) ?? start;
    if (!this.starts.placeOf(request) || start - begin > LONGEST_PAUSE) return false;
    if ((this.leastStarts.get(request) ?? 0) >= start) return false;
    this.leastStarts.set(request, start);
    return true;
  }

  /** When a timer should be due that is due too early; null where it is not. */
  private tooEarly(times: readonly number[], at: number, now: number): number | null {
    const moment = this.moments[at] as Moment;
    const due = this.dueOf(at);
    const before = this.tight.has(at) ? turnBefore(this.moments, at) : at - 1;
    const inPhase = this.moments[before]?.kind === 'timer' && this.comesNext(at, before, times);
    if (!this.tight.has(at)) {
      const wanted = now + this.distance(at);
      const isBehind = inPhase && (due <= now || due >= this.dueOf(at - 1) + this.margin);
      return due >= wanted || isBehind || this.isOverdue(times, at, now) ? null : wanted;
    }
    const passed = this.tight.passedBefore(at);
    // What was started since cannot have been due.
    const floor = moment.cause >= passed ? 0 : (times[passed] ?? 0) + this.margin;
    if (due < floor) return floor;
    return !this.tight.isInPhase(at) || inPhase ? null : this.dueOf(before) + Math.max(1, this.margin);
  }

  /** It has become due while the process stood still within the turn before, or within the first of one poll phase. */
  private isOverdue(times: readonly number[], at: number, now: number): boolean {
    const due = this.dueOf(at);
    if (due > now) return false;
    let first = at - 1;
    while (due < (times[first] ?? 0) + this.margin && this.sharesPhase(times, first, at)) first--;
    if (due < (times[first] ?? 0) + this.margin) return false;
    if (first < at - 1 && this.moments[first]?.kind !== 'deliver') return false;
    if (first < at - 1) this.batches.set(first, at - 1);
    return true;
  }

  /** What a poll phase may bring right behind an answer, if it was asked for before all of that. */
  private sharesPhase(times: readonly number[], step: number, before: number): boolean {
    const isOfPoll = (at: number): boolean => {
      const { kind, putOff } = this.moments[at] ?? { kind: 'other', putOff: false };
      return (kind === 'effect' || kind === 'end' || kind === 'deliver') && !putOff && !this.tight.has(at);
    };
    if (!isOfPoll(step) || !isOfPoll(step - 1)) return false;
    if ((times[step] as number) - (this.ends[step - 1] as number) > 2 * this.step) return false;
    return this.moments.slice(step, before).every(({ cause }) => cause < step - 1);
  }

  /** How much later than the step before a step has to be. */
  private distance(at: number): number {
    const before = this.moments[at - 1];
    if (!before) return 0;
    const { kind, request } = this.moments[at] as Moment;
    if (kind === 'timer' && before.kind === 'timer') return this.areBound(at) ? 0 : this.margin;
    if (kind === 'timer' || before.kind === 'timer') return this.margin;
    if (before.kind === 'effect' || before.kind === 'end' || before.kind === 'deliver')
      return before.request === request && kind === 'deliver' ? 0 : this.step;
    return this.margin;
  }

  /** Nothing stands between the starts of a timer and of the one before, or they are of one list. */
  private areBound(at: number): boolean {
    const [before, moment] = [this.moments[at - 1] as Moment, this.moments[at] as Moment];
    if (before.cause !== moment.cause) return false;
    const starts = [before, moment].map(({ request }) => this.started.get(request));
    return starts[0] === starts[1] || before.delay === moment.delay;
  }

  /** Both timers are due in one timers phase: their lists run by the expiry of their heads, of which Node knows whole ms. */
  private comesNext(at: number, previous: number, times: readonly number[]): boolean {
    const [before, moment] = [this.moments[previous] as Moment, this.moments[at] as Moment];
    if (before.delay === moment.delay)
      return this.dueOf(at) >= this.dueOf(previous) && before.cause <= moment.cause;
    let head = previous;
    while (times[head - 1] === times[head] && this.isOfList(head - 1, before.delay)) head--;
    return this.dueOf(at) - this.dueOf(head) >= 1;
  }

  private isOfList(at: number, delay: number): boolean {
    const moment = this.moments[at];
    return moment?.kind === 'timer' && moment.delay === delay && !this.tight.has(at);
  }

  /**
   * The process stands still until all timers of one list are due behind which this one should fire: then one timers
   * phase runs that list as far as it is due, and only then the next one. False where that does not help.
   */
  private join(at: number, now: number): boolean {
    const { cause } = this.moments[at] as Moment;
    const { kind, delay } = this.moments[at - 1] ?? { kind: 'other', delay: 0 };
    if (kind !== 'timer' || this.tight.has(at) || this.dueOf(at) > now) return false;
    let head = at;
    while (this.isOfList(head - 1, delay)) head--;
    const due = this.dueOf(head);
    const began = Math.max(cause, ...this.moments.slice(head, at).map((moment) => moment.cause));
    if (head >= at - 1 || began >= head || this.dueOf(at) - due < 1 || now - due > LONGEST_PAUSE)
      return false;
    if ((this.least[head] as number) >= now) return false;
    this.least[head] = now;
    return true;
  }

  /** Makes a step happen at `time` or later, by what it goes back to if possible; false where nothing can. */
  private putOff(step: number, time: number): boolean {
    const path: { at: number; time: number }[] = [];
    for (let at = step, then = time; at >= 0; ) {
      const { kind, cause, delay } = this.moments[at] as Moment;
      if (kind === 'other') break;
      const isMade = kind === 'immediate' || kind === 'close';
      if (!isMade && !this.prompt.has(at)) path.push({ at, time: then });
      if (!isMade && kind !== 'timer') break;
      if (kind === 'timer') then -= delay;
      at = cause;
    }
    const first = path.findLast(({ at, time: wanted }) => (this.least[at] as number) < wanted);
    if (first) this.least[first.at] = first.time;
    return first !== undefined;
  }
}
