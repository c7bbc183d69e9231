/**
 * Which step the real event loop could take next. Pure: no host object, no clock, no callback. The gate and enumeration
 * drive it with real requests (docs/feasibility.md names each rule and its counter-example). Abstract replay has
 * `../sketch`; `test/predictor/synthesize.test.ts` holds the two side by side. The plan of a witness
 * (`rescheduler/witness/times.ts`) says when plain Node takes these steps; the laboratory holds it to Node.
 */
import type { LoopOptions } from '../rules.ts';
import { type Arrival, isPrompt } from './arrivals.ts';
import { CheckPhase } from './check-phase.ts';
import { ClosingPhase } from './closing-phase.ts';
import { PollPhase } from './poll-phase.ts';
import type { PoolRequest } from './pool.ts';
import { LoopState } from './state.ts';
import type { Step } from './steps.ts';
import { TimersPhase } from './timers-phase.ts';

/** How a timer is started. */
export interface TimerStart {
  /** It keeps the process alive; unless told otherwise. */
  readonly ref?: boolean | undefined;
  /** In a tick or a microtask. */
  readonly ticking?: boolean | undefined;
  /** Node starts it anew behind its callback; and this is such a start. */
  readonly repeats?: boolean | undefined;
  readonly again?: boolean | undefined;
}

/** The loop between two turns. */
export class LoopModel {
  private readonly state: LoopState;
  private readonly timers: TimersPhase;
  private readonly poll: PollPhase;
  private readonly check: CheckPhase;
  private readonly closing: ClosingPhase;

  constructor(options: Partial<LoopOptions> = {}) {
    this.state = new LoopState(options);
    this.timers = new TimersPhase(this.state);
    this.check = new CheckPhase(this.state);
    this.poll = new PollPhase(this.state, this.check);
    this.closing = new ClosingPhase(this.state);
  }

  /** The model is no longer asked: its memory is for the next one. */
  release(): void {
    this.state.hypotheses.release();
  }

  get options(): LoopOptions {
    return this.state.options;
  }

  /** C12: the clock may not leap beyond this while work outside the model is under way. */
  get horizon(): number {
    return this.state.horizon;
  }
  set horizon(ms: number) {
    this.state.horizon = ms;
  }

  /** When the earliest timer is due that only {@link horizon} kept out of the last {@link enabled}. */
  get blockedUntil(): number {
    return this.timers.blockedUntil;
  }

  /** C16: something outside the model keeps the process alive. */
  get keptAlive(): boolean {
    return this.state.keptAlive;
  }
  set keptAlive(is: boolean) {
    this.state.keptAlive = is;
  }

  // --- time

  /** Virtual time, ms. Only a timer or a pause moves it: the smallest clock that explains the order. */
  get now(): number {
    return this.state.now;
  }

  /** It has read the clock since anything happened. */
  get isRead(): boolean {
    return this.state.timeline.isRead;
  }

  /** The program reads the clock: what it saw cannot turn out to have been later (C13). */
  readClock(): number {
    return this.state.hypotheses.readClock();
  }

  /** The moment that happened last. */
  get moment(): number {
    return this.state.timeline.last;
  }

  /** The program learns when that moment was, ms: it cannot turn out to have been later (C13). */
  tell(moment: number): number {
    return this.state.hypotheses.tell(moment);
  }

  /** The position of the present moment among everything that is issued. */
  place(): number {
    const { state } = this;
    const place = ++state.seq;
    if (state.message) state.amid.add(place);
    return place;
  }

  /** The program waits within the present turn: so much time passes, and nothing else happens. */
  wait(ms: number): void {
    this.state.wait(ms);
  }

  // --- what the program asks for

  /** A request enters the thread pool. `effects`: how many separate moments the kernel works on it; `slow`: see C10. */
  issue(id: number, effects = 1, slow = false): void {
    this.state.pool.add({ ...this.state.awaited(id), from: 'pool', effects, slow, ended: false });
  }

  /** Something became ready outside of the pool: the next poll phase may deliver it. */
  arrive(id: number, how: Arrival = { by: 'handle' }, behind = -1): void {
    const { arrivals, answerOfPool, begun, message, amid, phase } = this.state;
    const awaited = this.state.awaited(id);
    const made = (how.by === 'message' ? how.made : undefined) ?? -1;
    // What wakes the loop up while it hands out answers of the pool, it looks at next.
    // Behind a message it comes to the handles that were made after that one's.
    const isAhead = message !== null && made > message.made && !amid.has(made) && !amid.has(message.made);
    const waker = isAhead ? message.seq : answerOfPool;
    const wakes = how.by === 'message' || how.by === 'engine';
    const after = how.by === 'handle' ? how.after : undefined;
    arrivals.list.push({
      ...awaited,
      ...(after && { since: after.moment, lead: after.ms }),
      ...{ from: 'outside', how, behind, made, turn: begun },
      seq: wakes && waker >= 0 ? Math.max(waker, made) : awaited.seq,
      isThere: isPrompt(how) || (this.options.loopback === 'strict' && 'local' in how && how.local === true),
      // Asked for in the check phase it was there in the next poll phase in 298 of 300 plain runs.
      isTwice: how.by === 'engine' && how.twice === true && phase !== 'check',
      aheadOfPoll: how.by === 'shutdown' && how.queued !== true && phase !== 'poll',
    });
  }

  /** The present turn had ticks or microtasks: what was put off in its callback has not come before them. */
  ticked(): void {
    this.state.heads = this.state.seq;
  }

  /** It is not wanted any more: up to now it was late. */
  withdraw(id: number): void {
    const { arrivals, pool } = this.state;
    const request = arrivals.find(id) ?? pool.find(id);
    if (!request) return;
    this.state.remove(request);
    this.state.over(request, this.moment);
  }

  /** A handle is closed: its callback runs in the closing phase. */
  close(id: number): void {
    this.state.seq += 1;
    this.state.closings.add(id);
  }

  startTimer(id: number, delay: number, { ref = true, ...how }: TimerStart = {}): void {
    const { ticking = false, repeats = false, again = false } = how;
    const { state } = this;
    state.seq += 1;
    if (!again) state.within();
    const whole = delay >= 1 && delay <= 2147483647 ? Math.trunc(delay) : 1;
    const since = again ? state.turn : -1;
    state.hypotheses.start(id, whole, { ref, cause: state.answer, ticking, repeats, since });
  }

  setRef(id: number, ref: boolean): void {
    this.state.hypotheses.setRef(id, ref);
    this.state.immediates.setRef(id, ref);
  }

  /**
   * A timer is taken back, perhaps in its own callback. `restarts`: it is started anew in the same moment; `ticking`: in a
   * tick or a microtask.
   */
  cancelTimer(id: number, restarts = false, ticking = false): void {
    this.state.hypotheses.cancel(id, restarts, ticking);
  }

  startImmediate(id: number): void {
    this.state.seq += 1;
    this.state.immediates.add(id);
  }

  cancelImmediate(id: number): void {
    this.state.immediates.cancel(id);
  }

  /** No further effect will come, however many were announced. */
  finish(id: number): void {
    const request = this.state.pool.find(id);
    if (request) request.effects = 0;
  }

  // --- steps

  /** True when nothing is left that could ever take a step. */
  get idle(): boolean {
    return !this.state.isBusy && this.state.hypotheses.timers.size === 0;
  }

  /** C16: something keeps the process alive, in the model or outside of it. */
  get lasts(): boolean {
    return this.state.isAlive || this.awaitsTimer;
  }

  /** A timer that keeps the process alive is pending: something will happen, whether an order of it is known or not. */
  get awaitsTimer(): boolean {
    return this.state.hypotheses.timers.anyRef;
  }

  /** So many hypotheses of the run were possible that some were given up: orders that need them look infeasible. */
  get incomplete(): boolean {
    return this.state.hypotheses.incomplete;
  }

  /** Every step that the loop could take now; callers sort by name. */
  enabled(): Step[] {
    this.timers.blockedUntil = Number.POSITIVE_INFINITY;
    const begun = this.check.goesOn() ?? this.closing.goesOn() ?? this.poll.outside();
    if (begun) return begun;
    this.state.endTurn(false);
    const steps: Step[] = [];
    this.check.steps(steps);
    this.closing.steps(steps);
    this.poll.steps(steps);
    this.timers.steps(steps);
    return steps;
  }

  /** The steps that the kernel could take within the present turn: effects. */
  effects(): Step[] {
    return this.poll.effects();
  }

  /** What may be delivered within the present turn, in which something was delivered that Node had put off (C9), or has to be. */
  sameTurn(): Step[] {
    return this.check.sameTurn();
  }

  /** Takes a step that {@link sameTurn} offered. */
  takeInSameTurn({ id }: Step): void {
    this.poll.deliver(this.state.arrivals.find(id) ?? this.find(id), true);
  }

  /**
   * Takes a step that {@link enabled} offered; `late`: for so many ms the loop oversleeps the timer. Throws on an id that is
   * not pending: a caller's bug.
   */
  take({ kind, id }: Step, late = 0): void {
    switch (kind) {
      case 'effect':
        this.find(id).effects -= 1;
        return;
      case 'end':
        this.state.pool.end(this.find(id));
        return;
      case 'deliver':
        this.poll.deliver(this.state.arrivals.find(id) ?? this.find(id));
        return;
      case 'timer':
        this.timers.fire(id, late);
        return;
      case 'immediate':
        this.check.run(id);
        return;
      case 'close':
        this.closing.run(id);
        return;
    }
  }

  private find(id: number): PoolRequest {
    const request = this.state.pool.find(id);
    if (!request) throw new Error(`request ${id} is not pending`);
    return request;
  }

  // --- what the order presumes

  /** The longest pause of the CPU that the order so far presumes, ms. */
  longestPause(): number {
    return this.state.lateness.longestPause(this.state.timeline);
  }

  /** How late each request was answered, or was still not when it was withdrawn, ms; without those that were not late. */
  lateness(): { id: number; ms: number }[] {
    return this.state.lateness.late(this.state.timeline);
  }
}

export type { Step } from './steps.ts';
