/**
 * Which step the real event loop could take next. Pure: no host object, no clock, no callback.
 * The gate drives it with real requests, abstract replay with recorded ones, enumeration with either,
 * so that all of them obey the same rules (docs/feasibility.md names each rule and its counter-example).
 */

import { type Awaited, type PoolRequest, type PoolSteps, ThreadPool } from './pool.ts';
import { NOTHING, Readings, type Source } from './readings.ts';
import { DEFAULT_LOOP, type LoopOptions } from './rules.ts';
import type { Timeline } from './timeline.ts';
import type { Candidate, Sleep } from './timers.ts';

export type StepKind = 'effect' | 'end' | 'deliver' | 'timer' | 'immediate' | 'close';

export interface Step {
  readonly kind: StepKind;
  /** Id of the request, as given at issue. */
  readonly id: number;
  /** How much later than at the earliest something must have happened for this step, ms (C3). */
  readonly pause: number;
  /** Timers: the virtual time at which it fires. */
  readonly due?: number;
}

/** Moments of the timeline between which a request was under way: until its answer, or until nobody wanted that. */
interface Answered {
  readonly id: number;
  readonly issued: number;
  readonly over: number;
}

/** How something comes from outside of the pool: see {@link LoopModel.arrive}. */
type Manner = Omit<Partial<Awaited>, 'id'> & {
  /** The {@link LoopModel.place} at which the handle was made through which it comes. */
  readonly made?: number;
};

/** Without bounds on lateness contradictions are given up after this many ms. */
const UNBOUNDED = 100_000;

/**
 * What a turn takes, in units of 10 microseconds, once a program polls: when so much has passed without a timer, and
 * what it waits for would never come if time stood still. Turns as slow as that need no pause of the CPU.
 */
const TURN = { answer: 5, other: 1 } as const;
const UNITS_PER_MS = 100;
const POLLING = 50 * UNITS_PER_MS;

/** State of the loop between two turns. */
export class LoopModel {
  /** C12: the clock may not leap beyond this while work outside the model is under way. */
  horizon = Number.POSITIVE_INFINITY;
  /** When the earliest timer is due that only {@link horizon} kept out of the last {@link enabled}. */
  blockedUntil = Number.POSITIVE_INFINITY;
  /** C16: something outside the model keeps the process alive. */
  keptAlive = false;
  readonly options: LoopOptions;
  private readonly readings: Readings;
  private readonly pool: ThreadPool;
  /** Events that are ready outside of the thread pool: sockets that can be read, connections, messages. */
  private readonly arrivals: Awaited[] = [];
  /** Handles closed whose close callback has not run, in the order in which they were closed. */
  private readonly closings: number[] = [];
  /** The batch of close callbacks being run: all that were pending when the closing phase began. */
  private closeBatch: Set<number> | null = null;
  private readonly answered: Answered[] = [];
  /** Moments before which the loop may have slept. */
  private readonly waited = new Set<number>();
  /** Immediates pending, in creation order. */
  private readonly immediates: number[] = [];
  /** The batch of immediates being run, C9: all that were pending when the check phase began. */
  private batch: Set<number> | null = null;
  /** The check phase has begun with what Node put off to it; its immediates are still to come. */
  private headsCheck = false;
  /** Where the loop is: in the phase itself, or (check, closing) behind its batch. */
  private phase: 'timers' | 'poll' | 'check' | 'closing';
  private seq = 0;
  /** The same when the present turn began. */
  private begun = 0;
  /** The moment at which the present turn began, and that again if a request's answer began it, else -1. */
  private turn = 0;
  private answer = -1;
  /** Where an answer of the pool began the present turn: its position; else -1. */
  private answerOfPool = -1;
  /** {@link Awaited.since} of what the present turn issues; -1 where it is no answer's turn. */
  private since = -1;
  /** What the turns since a timer fired would have taken: see {@link TURN}. */
  private spent = 0;
  /** The moment that stands for the end of the present turn, if it matters. */
  private turnEnd = -1;
  /** What was worked out last, good as long as nothing changed. */
  private known: { sleep: Sleep; version: number; owed: number; candidates: readonly Candidate[] } = {
    sleep: 'asleep',
    version: -1,
    owed: NOTHING,
    candidates: [],
  };
  private readonly passings = new Map<boolean, { version: number; owed: number; pause: number | null }>();
  /** How long a turn, and answers that lead to each other, may last, ms. */
  private readonly longestTurn: number;
  private readonly longestWait: number;

  constructor(options: Partial<LoopOptions> = {}) {
    this.options = { ...DEFAULT_LOOP, ...options };
    const { rules, poolSize, maxPauseMs, maxStallMs, firstTurn } = this.options;
    this.phase = firstTurn === 'before' ? 'closing' : 'poll';
    this.pool = new ThreadPool(rules, poolSize);
    this.longestTurn = rules.bounded ? maxPauseMs : Number.POSITIVE_INFINITY;
    this.longestWait = rules.bounded ? maxStallMs : Number.POSITIVE_INFINITY;
    const farthest = rules.bounded ? maxPauseMs + maxStallMs : UNBOUNDED;
    this.readings = new Readings(farthest, rules.timers, this.longestTurn);
  }

  /** The model is no longer asked: its memory is for the next one. */
  release(): void {
    this.readings.release();
  }

  /** Virtual time, ms. Only a timer or a pause moves it: the smallest clock that explains the order. */
  get now(): number {
    return this.timeline.now;
  }

  /** The program reads the clock: what it saw cannot turn out to have been later (C13). */
  readClock(): number {
    return this.readings.readClock();
  }

  /** The moment that happened last. */
  get moment(): number {
    return this.timeline.last;
  }

  /** The program learns when that moment was, ms: it cannot turn out to have been later (C13). */
  tell(moment: number): number {
    return this.readings.tell(moment);
  }

  /** A request enters the thread pool. `effects`: how many separate moments the kernel works on it; `slow`: see C10. */
  issue(id: number, effects = 1, slow = false): void {
    this.pool.add({ ...this.awaited(id), effects, slow, ended: false });
  }

  /**
   * Something became ready outside of the pool: the next poll phase may deliver it. `behindPoll`: it waits for nobody,
   * so that libuv answers it in the poll phase in which it was issued, behind all that is polled for; `atOnce`: or right
   * behind the turn in which it was issued. `putOff`: Node delivers it in the check phase, before immediates. `wakes`: it
   * comes with the wake-up of the loop, behind the answers of the pool. `prompt`: the next poll phase does deliver it;
   * behind an answer of the pool it is the one that is on, unless what it comes through was `made` in it.
   */
  arrive(id: number, how: Manner = {}): void {
    const { behindPoll = false, atOnce = false, putOff = false, wakes = false, prompt = false } = how;
    const { made = -1 } = how;
    const awaited = this.awaited(id);
    const seq = prompt && this.answerOfPool >= 0 ? Math.max(this.answerOfPool, made) : awaited.seq;
    this.arrivals.push({ ...awaited, seq, behindPoll, atOnce, putOff, wakes, prompt, turn: this.begun });
  }

  /** The position of the present moment among everything that is issued. */
  place(): number {
    return ++this.seq;
  }

  private awaited(id: number): Awaited {
    const issued = this.within();
    return { id, seq: ++this.seq, issued, since: this.since < 0 ? issued : this.since };
  }

  /** It is not wanted any more: up to now it was late. */
  withdraw(id: number): void {
    const request = this.arrivals.find((r) => r.id === id) ?? this.pool.find(id);
    if (!request) return;
    this.remove(request);
    this.answered.push({ id, issued: request.issued, over: this.moment });
  }

  /** A handle is closed: its callback runs in the closing phase. */
  close(id: number): void {
    this.seq += 1;
    this.closings.push(id);
  }

  /** `ticking`: in a tick or a microtask. */
  startTimer(id: number, delay: number, ref = true, ticking = false): void {
    this.seq += 1;
    this.within();
    const whole = delay >= 1 && delay <= 2147483647 ? Math.trunc(delay) : 1;
    this.readings.start(id, whole, ref, this.answer, ticking);
  }

  setRef(id: number, ref: boolean): void {
    this.readings.timers.setRef(id, ref);
  }

  /** `putOff`: it is started anew in the same moment. */
  cancelTimer(id: number, putOff = false): void {
    this.readings.cancel(id, putOff);
  }

  startImmediate(id: number): void {
    this.seq += 1;
    this.immediates.push(id);
  }

  cancelImmediate(id: number): void {
    const at = this.immediates.indexOf(id);
    if (at >= 0) this.immediates.splice(at, 1);
    this.batch?.delete(id);
  }

  /** No further effect will come, however many were announced. */
  finish(id: number): void {
    const request = this.pool.find(id);
    if (request) request.effects = 0;
  }

  /** True when nothing is left that could ever take a step. */
  get idle(): boolean {
    return !this.isBusy && this.readings.timers.size === 0;
  }

  /** So many readings of the run were possible that some were given up: orders that need them look infeasible. */
  get incomplete(): boolean {
    return this.readings.incomplete;
  }

  /** Something other than timers is pending. */
  private get isBusy(): boolean {
    return (
      !this.pool.isEmpty || this.arrivals.length > 0 || this.immediates.length > 0 || this.closings.length > 0
    );
  }

  /** Every step that the loop could take now; callers sort by name. */
  enabled(): Step[] {
    const { rules } = this.options;
    const steps: Step[] = [];
    this.blockedUntil = Number.POSITIVE_INFINITY;
    if (rules.phases && this.batch) {
      const next = this.immediates.find((id) => this.batch?.has(id));
      if (next !== undefined) return [{ kind: 'immediate', id: next, pause: 0 }];
      this.batch = null;
    }
    if (rules.closing && this.closeBatch) {
      const next = this.closings.findLast((id) => this.closeBatch?.has(id));
      if (next !== undefined) return [{ kind: 'close', id: next, pause: 0 }];
      this.closeBatch = null;
    }
    const [first] = this.immediates;
    if (this.headsCheck && first !== undefined) {
      for (const arrival of this.arrivals) if (arrival.putOff) this.deliverStep(steps, arrival);
      return [...steps, { kind: 'immediate', id: first, pause: 0 }];
    }
    const check = this.checking();
    if (first !== undefined && check !== null) steps.push({ kind: 'immediate', id: first, pause: check });
    this.closeStep(steps);
    this.poolSteps(steps);
    for (const arrival of this.arrivals) if (!this.isBehindAnother(arrival)) this.deliverStep(steps, arrival);
    // C9: after a callback of the poll phase the check phase comes first, and the closing phase behind it.
    if (!this.isBarred) this.timerSteps(steps);
    return steps;
  }

  /** By how much something has to move for a check phase to begin now; null where it cannot. */
  private checking(): number | null {
    const isPassedBy = this.phase !== 'poll' && this.prompt !== NOTHING;
    return isPassedBy || (this.isBehindCheck && this.isBarred) ? null : this.passing(this.isBehindCheck);
  }

  private isPutOff({ putOff }: Awaited): boolean {
    return putOff === true && this.options.rules.phases;
  }

  /** The check phase of this round of the loop is over. */
  private get isBehindCheck(): boolean {
    return this.phase === 'check' || this.phase === 'closing';
  }

  /** The position of the earliest that waits and that no poll phase passes over. */
  private get prompt(): number {
    if (!this.options.rules.phases) return NOTHING;
    let earliest = NOTHING;
    for (const { prompt, seq } of this.arrivals) if (prompt) earliest = Math.min(earliest, seq);
    return earliest;
  }

  /** What the poll phase that is on has to bring, if it was issued when that began. */
  private get owed(): number {
    return this.phase === 'poll' ? this.prompt : NOTHING;
  }

  /**
   * A later phase of this round has something to run, so no other round can begin: no timer fires, and what was
   * issued since the poll phase began cannot arrive.
   */
  private get isBarred(): boolean {
    const { rules } = this.options;
    if (rules.phases && this.immediates.length > 0 && this.phase === 'poll') return true;
    return rules.closing && this.closings.length > 0 && (this.phase === 'poll' || this.phase === 'check');
  }

  /** Close callbacks run behind the check phase; what is closed while they run waits for another round. */
  private closeStep(steps: Step[]): void {
    const { rules } = this.options;
    if (!rules.closing) {
      for (const id of this.closings) steps.push({ kind: 'close', id, pause: 0 });
      return;
    }
    const last = this.closings.at(-1);
    if (last === undefined) return;
    if (rules.phases && this.immediates.length > 0 && this.phase !== 'check') return;
    if ((this.phase === 'timers' || this.phase === 'closing') && this.prompt !== NOTHING) return;
    const pause = this.passing(this.phase === 'closing');
    if (pause !== null) steps.push({ kind: 'close', id: last, pause });
  }

  private poolSteps(steps: Step[]): void {
    if (this.pool.isEmpty) return;
    const told: PoolSteps = {
      effect: ({ id }) => steps.push({ kind: 'effect', id, pause: 0 }),
      answer: (request) => this.deliverStep(steps, request),
      end: ({ id }) => steps.push({ kind: 'end', id, pause: 0 }),
    };
    this.pool.steps(told);
  }

  /** One turn sent both, so that one poll phase brings them, in an order of its own: that in which they came. */
  private isBehindAnother(arrival: Awaited): boolean {
    if (!arrival.prompt || !this.options.rules.phases) return false;
    const first = this.arrivals.find(({ prompt, turn }) => prompt && turn === arrival.turn);
    return first !== arrival;
  }

  private deliverStep(steps: Step[], request: Awaited): void {
    const pause = this.arriving(request);
    if (pause !== null) steps.push({ kind: 'deliver', id: request.id, pause });
  }

  /** By how much something has to move for this to be the next that arrives; null where it cannot. */
  private arriving(request: Awaited): number | null {
    const { seq, behindPoll } = request;
    if (this.isPutOff(request)) return this.headsCheck ? 0 : this.checking();
    if (this.isAtOnce(request)) return 0;
    if (this.phase !== 'poll')
      return this.isBehindCheck && this.isBarred ? null : this.passing(this.isBehindCheck);
    if (behindPoll && this.options.rules.phases) return this.readings.mayEnd(this.owed) ? 0 : null;
    return this.readings.arriving(seq, sourceOf(request)) ?? (this.isBarred ? null : this.passing(true));
  }

  /** It belongs to the event that began the present turn. */
  private isAtOnce({ atOnce, seq }: Awaited): boolean {
    return atOnce === true && this.phase === 'poll' && this.options.rules.phases && seq > this.begun;
  }

  /** By how much something has to move for the loop to leave its timers phase; null where it cannot. */
  private passing(again: boolean): number | null {
    const round = again && this.options.rules.phases;
    const { owed } = this;
    const known = this.passings.get(round);
    if (known && known.version === this.version && known.owed === owed) return known.pause;
    const pause = this.readings.passing(round, owed);
    this.passings.set(round, { version: this.version, owed, pause });
    return pause;
  }

  /** The times that are told. */
  private get timeline(): Timeline {
    return this.readings.timeline;
  }

  private get version(): number {
    return this.readings.version;
  }

  private candidates(): readonly Candidate[] {
    const sleep = this.sleep();
    const { owed, known } = this;
    if (known.sleep !== sleep || known.version !== this.version || known.owed !== owed)
      this.known = { sleep, version: this.version, owed, candidates: this.readings.candidates(sleep, owed) };
    return this.known.candidates;
  }

  private timerSteps(steps: Step[]): void {
    const { rules } = this.options;
    const { now } = this;
    if (this.readings.timers.size === 0) return;
    const alive = this.keptAlive || this.isBusy;
    if (rules.unref && !alive && !this.readings.timers.anyRef) return;
    for (const { id, at, pause } of this.candidates()) {
      if (at > now) {
        if (this.isTooLate(this.pool.pending, at) || this.isTooLate(this.arrivals, at)) continue;
        if (at > this.horizon) {
          this.blockedUntil = Math.min(this.blockedUntil, at);
          continue;
        }
      }
      steps.push({ kind: 'timer', id, pause, due: at });
    }
  }

  private isTooLate(requests: readonly Awaited[], at: number): boolean {
    return requests.some(({ since }) => at - this.timeline.timeOf(since) > this.longestWait);
  }

  /**
   * C9: while an immediate, a close callback or a message of this thread waits the loop does not sleep, and their phases
   * precede another timers phase.
   */
  private sleep(): Sleep {
    const { phases, closing } = this.options.rules;
    const waits = (phases && this.immediates.length > 0) || (closing && this.closings.length > 0);
    if (!waits && this.prompt === NOTHING) return 'asleep';
    if (this.phase === 'timers') return 'same phase';
    if (this.timeline.last !== this.turnEnd) this.turnEnd = this.within();
    return 'awake';
  }

  /** Takes a step that {@link enabled} offered. Throws on an id that is not pending: a caller's bug. */
  take(step: Step): void {
    switch (step.kind) {
      case 'effect':
        this.find(step.id).effects -= 1;
        return;
      case 'end': {
        this.pool.end(this.find(step.id));
        return;
      }
      case 'deliver':
        this.deliver(step.id);
        return;
      case 'close':
        this.runClose(step.id);
        return;
      case 'timer':
        this.readings.fire(step.id, this.longestTurn, this.sleep(), this.owed);
        this.waited.add(this.timeline.last);
        this.begin('timers');
        this.batch = null;
        this.closeBatch = null;
        return;
      case 'immediate':
        this.runImmediate(step.id);
        return;
    }
  }

  private deliver(id: number): void {
    const request = this.arrivals.find((arrival) => arrival.id === id) ?? this.find(id);
    const { phases } = this.options.rules;
    this.remove(request);
    const source = sourceOf(request);
    const isPutOff = this.isPutOff(request);
    if (isPutOff) this.beginCheck();
    else if (this.isAtOnce(request)) {
      // The poll phase goes on where it was.
    } else if (this.phase !== 'poll' || !phases)
      this.readings.pass(this.isBehindCheck && phases, this.seq + 1, source, NOTHING);
    else if (request.behindPoll) this.readings.polled(this.owed);
    else
      this.readings.arrive(request.seq, source, !this.isBarred, this.latestWaiting, this.seq + 1, this.owed);
    const delivered = this.readings.add(0, request.since, this.longestWait);
    this.waited.add(delivered);
    this.answered.push({ id: request.id, issued: request.issued, over: delivered });
    this.begin(isPutOff ? 'check' : 'poll', delivered, request.since);
    this.headsCheck = isPutOff;
    if (source === 'pool') this.answerOfPool = request.seq;
    this.batch = null;
    this.closeBatch = null;
  }

  /** The position of what was issued last of all that waits for the poll phase; -1 where nothing does. */
  private get latestWaiting(): number {
    return Math.max(this.pool.pending.at(-1)?.seq ?? -1, ...this.arrivals.map(({ seq }) => seq));
  }

  private remove(request: Awaited): void {
    const at = this.arrivals.indexOf(request);
    if (at >= 0) this.arrivals.splice(at, 1);
    else this.pool.remove(request);
  }

  /** The check phase begins, unless it has. */
  private beginCheck(): void {
    if (this.headsCheck) return;
    const isRound = this.isBehindCheck && this.options.rules.phases;
    this.readings.pass(isRound, this.seq + 1, 'elsewhere', this.owed);
  }

  private runImmediate(id: number): void {
    const at = this.immediates.indexOf(id);
    if (at < 0) throw new Error(`immediate ${id} is not pending`);
    if (!this.batch) {
      this.beginCheck();
      this.batch = new Set(this.immediates);
    }
    this.immediates.splice(at, 1);
    this.batch.delete(id);
    this.readings.add(0, this.timeline.last, this.longestTurn);
    this.begin('check');
    if (this.batch.size === 0) this.batch = null;
    this.closeBatch = null;
  }

  private runClose(id: number): void {
    const at = this.closings.indexOf(id);
    if (at < 0) throw new Error(`close callback ${id} is not pending`);
    const { rules } = this.options;
    if (rules.closing) {
      if (!this.closeBatch)
        this.readings.pass(this.phase === 'closing' && rules.phases, this.seq + 1, 'elsewhere', this.owed);
      this.closeBatch ??= new Set(this.closings);
      this.closeBatch.delete(id);
      if (this.closeBatch.size === 0) this.closeBatch = null;
    }
    this.closings.splice(at, 1);
    this.readings.add(0, this.timeline.last, this.longestTurn);
    this.begin('closing');
    this.batch = null;
  }

  /** A turn begins at the latest moment. */
  private begin(phase: LoopModel['phase'], answer = -1, since = -1): void {
    const before = this.spent;
    this.spent = phase === 'timers' ? 0 : before + (phase === 'poll' ? TURN.answer : TURN.other);
    const isFull = Math.floor(this.spent / UNITS_PER_MS) > Math.floor(before / UNITS_PER_MS);
    const passes = isFull && this.spent >= POLLING && this.now < this.horizon;
    if (passes) this.readings.add(Math.min(this.now + 1, this.horizon));
    this.phase = phase;
    this.headsCheck = false;
    this.begun = this.seq;
    this.turn = this.timeline.last;
    this.answer = answer;
    this.answerOfPool = -1;
    // The time that polling takes is not the lateness of an answer.
    this.since = passes ? -1 : since;
  }

  /** A moment inside the present turn. */
  private within(): number {
    return this.readings.add(0, this.turn, this.longestTurn);
  }

  /** Expiry of a pending timer in virtual ms, or undefined. */
  expiryOf(id: number): number | undefined {
    return this.readings.timers.expiryOf(id);
  }

  /** The longest pause of the CPU that the order so far presumes, ms. */
  longestPause(): number {
    return this.timeline.longestPause(this.waited);
  }

  /** How late each request was answered, or was still not when it was withdrawn, ms; without those that were not late. */
  lateness(): { id: number; ms: number }[] {
    const { timeline } = this;
    return this.answered
      .map(({ id, issued, over }) => ({ id, ms: timeline.timeOf(over) - timeline.timeOf(issued) }))
      .filter(({ ms }) => ms > 0);
  }

  private find(id: number): PoolRequest {
    const request = this.pool.find(id);
    if (!request) throw new Error(`request ${id} is not pending`);
    return request;
  }
}

function sourceOf(request: Awaited): Source {
  if ('effects' in request) return 'pool';
  return request.wakes ? 'message' : 'elsewhere';
}
