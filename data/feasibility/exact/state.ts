/** What the phases of the loop share: what waits for which of them, and where the loop is. */

import { DEFAULT_LOOP, type LoopOptions, type Rules } from '../rules.ts';
import { type PendingArrival, PendingArrivals } from './arrivals.ts';
import { Batch } from './batch.ts';
import { ClockHypotheses, NOTHING, type Source } from './clock-hypotheses.ts';
import { Lateness } from './lateness.ts';
import { type Awaited, ThreadPool } from './pool.ts';
import type { Timeline } from './timeline.ts';

export type Phase = 'timers' | 'poll' | 'check' | 'closing';

/** Without bounds on lateness contradictions are given up after this many ms. */
const UNBOUNDED = 100_000;

/**
 * What a turn takes, in units of 10 microseconds, once a program polls: when so much has passed since the loop slept, and
 * what it waits for would never come if time stood still. Turns as slow as that need no pause of the CPU.
 */
const TURN = { answer: 5, other: 1 } as const;
const UNITS_PER_MS = 100;
const POLLING = 50 * UNITS_PER_MS;
/**
 * From so many turns of immediates in a row on, in which nothing else has come, they wait for a time to come: each takes twice
 * as long after so many more, up to a millisecond. A second of that would be a hundred thousand turns.
 */
const SPINNING = { from: 5000, doubles: 500, most: UNITS_PER_MS } as const;

export class LoopState {
  /** See {@link LoopModel.horizon} and {@link LoopModel.keptAlive}. */
  horizon = Number.POSITIVE_INFINITY;
  keptAlive = false;
  readonly options: LoopOptions;
  readonly hypotheses: ClockHypotheses;
  readonly pool: ThreadPool;
  readonly arrivals = new PendingArrivals();
  readonly immediates = new Batch(false);
  /** Handles closed whose close callback has not run. */
  readonly closings = new Batch(true);
  readonly lateness = new Lateness();
  /** How long a turn, and answers that lead to each other, may last, ms, where nothing waits within a turn. */
  readonly longestTurn: number;
  private readonly longestWait: number;
  /** The position at which the last check phase began with its immediates. */
  checked = -1;
  /** Where the loop is: in the phase itself, or (check, closing) behind its batch. */
  phase: Phase;
  /** The check phase has begun with what Node put off to it; its immediates are still to come. */
  headsCheck = false;
  /** The position at which that began, or at which ticks have run in it. */
  heads = 0;
  /** The loop is over, and what the engine works on is awaited before it begins anew. */
  isOver = false;
  /** The position of what was issued last. */
  seq = 0;
  /** The same when the present turn began. */
  begun = 0;
  /** The moment at which the present turn began, and that again if a request's answer began it, else -1. */
  turn = 0;
  answer = -1;
  /** Where an answer of the pool began the present turn: its position; else -1. */
  answerOfPool = -1;
  /** The message that began the present turn; null where none did. */
  message: PendingArrival | null = null;
  /** Positions of handles that were made in turns of messages: libuv puts those amid the ones that it is going through. */
  readonly amid = new Set<number>();
  /** {@link Awaited.since} of what the present turn issues; -1 where it is no answer's turn. */
  private since = -1;
  /** {@link Awaited.lead} of the same. */
  private lead = 0;
  /** What the turns since the loop slept would have taken: see {@link TURN}. */
  private spent = 0;
  /** Turns of immediates since anything else happened. */
  private spun = 0;
  private readonly passings = new Map<number, { version: number; owed: number; pause: number | null }>();
  /** The moment that stands for what lies between the present turn and the next one, if it matters. */
  private between = -1;

  constructor(options: Partial<LoopOptions>) {
    this.options = { ...DEFAULT_LOOP, ...options };
    const { rules, poolSize, maxPauseMs, maxStallMs, firstTurn, loopback } = this.options;
    this.phase = firstTurn === 'before' ? 'closing' : 'poll';
    this.pool = new ThreadPool(rules, poolSize);
    this.longestTurn = rules.bounded ? maxPauseMs : Number.POSITIVE_INFINITY;
    this.longestWait = rules.bounded ? maxStallMs : Number.POSITIVE_INFINITY;
    const farthest = rules.bounded ? maxPauseMs + maxStallMs : UNBOUNDED;
    this.hypotheses = new ClockHypotheses(farthest, rules.timers, this.longestTurn, loopback === 'strict');
  }

  get rules(): Rules {
    return this.options.rules;
  }

  get now(): number {
    return this.timeline.now;
  }

  /** The times that are told. */
  get timeline(): Timeline {
    return this.hypotheses.timeline;
  }

  /** Something other than timers is pending. */
  get isBusy(): boolean {
    const { pool, arrivals, immediates, closings } = this;
    return !pool.isEmpty || arrivals.list.length > 0 || immediates.size > 0 || closings.size > 0;
  }

  /** C16: something other than timers keeps the loop alive. */
  get isAlive(): boolean {
    const { keptAlive, pool, arrivals, immediates, closings } = this;
    return keptAlive || !pool.isEmpty || arrivals.list.length > 0 || immediates.anyRef || closings.size > 0;
  }

  /** Nothing keeps the loop alive, so that only the engine is waited for, outside of it. */
  get isOutside(): boolean {
    const { arrivals, pool, immediates, closings, hypotheses, rules } = this;
    if (!rules.phases || !arrivals.list.some(({ how }) => how.by === 'engine')) return false;
    if (this.isOver) return true;
    if (this.keptAlive || !arrivals.areOfEngine || !pool.isEmpty) return false;
    return !immediates.anyRef && closings.size === 0 && !hypotheses.timers.anyRef;
  }

  /** The check phase of this round of the loop is over. */
  get isBehindCheck(): boolean {
    return this.phase === 'check' || this.phase === 'closing';
  }

  /** The position of the earliest that waits and that no poll phase passes over. */
  get there(): number {
    return this.rules.phases ? this.arrivals.there : NOTHING;
  }

  /** What the poll phase that is on has to bring, if it was issued when that began. */
  get owed(): number {
    return this.phase === 'poll' ? this.there : NOTHING;
  }

  /** The same of what it polls for. */
  get owedOfPolled(): number {
    return this.phase === 'poll' && this.rules.phases ? this.arrivals.polled : NOTHING;
  }

  /** What the next check phase begins with is known. */
  get isHeaded(): boolean {
    return this.rules.phases && this.arrivals.known !== undefined;
  }

  /** Something waits for the check phase. */
  get isChecked(): boolean {
    return this.isHeaded || (this.rules.phases && this.immediates.size > 0);
  }

  /**
   * A later phase of this round has something to run, so no other round can begin: no timer fires, and what was
   * issued since the poll phase began cannot arrive.
   */
  get isBarred(): boolean {
    const { rules, phase } = this;
    if (this.isChecked && phase === 'poll') return true;
    return rules.closing && this.closings.size > 0 && (phase === 'poll' || phase === 'check');
  }

  /**
   * C9: while an immediate, a close callback or a message of this thread waits the loop does not sleep, and their phases
   * precede another timers phase.
   */
  get isAwake(): boolean {
    const isClosing = this.rules.closing && this.closings.size > 0;
    return this.isChecked || isClosing || this.there !== NOTHING;
  }

  /** From now on the latest moment is one between the present turn and the next one, where that matters. */
  endTurn(matters: boolean): void {
    const { hypotheses, isAwake } = this;
    if (this.timeline.last === this.between || !(matters || hypotheses.isStale)) return;
    this.between = isAwake ? this.within() : hypotheses.add(0);
    if (!isAwake) this.lateness.slept(this.between);
  }

  /** By how much something has to move for the loop to leave its timers phase; null where it cannot. */
  passing(again: boolean): number | null {
    const round = again && this.rules.phases;
    const { owed, hypotheses, isAwake } = this;
    const key = (round ? 2 : 0) + (isAwake ? 1 : 0);
    const known = this.passings.get(key);
    if (known && known.version === hypotheses.version && known.owed === owed) return known.pause;
    const pause = hypotheses.passing(round, !isAwake, owed);
    this.passings.set(key, { version: hypotheses.version, owed, pause });
    return pause;
  }

  /** The loop leaves its timers phase; `again`: it has to begin another round for that. */
  pass(again: boolean, source: Source, owed: number): void {
    this.hypotheses.pass(again && this.rules.phases, !this.isAwake, this.seq + 1, source, owed);
  }

  /** A turn begins at the latest moment. `answer`: that moment, where the answer to a request begins it. */
  begin(phase: Phase, answer = -1, since = -1, lead = 0): void {
    const before = this.spent;
    this.spun = phase === 'check' ? this.spun + 1 : 0;
    this.spent = before + (phase === 'poll' ? TURN.answer : slowness(this.spun));
    const isFull = Math.floor(this.spent / UNITS_PER_MS) > Math.floor(before / UNITS_PER_MS);
    const passes = isFull && this.spent >= POLLING && this.now < this.horizon;
    if (passes) this.hypotheses.add(Math.min(this.now + 1, this.horizon));
    if (phase !== 'check') this.immediates.end();
    if (phase !== 'closing') this.closings.end();
    this.phase = phase;
    this.headsCheck = false;
    this.isOver = false;
    this.begun = this.seq;
    this.turn = this.timeline.last;
    this.answer = answer;
    this.answerOfPool = -1;
    this.message = null;
    // The time that polling takes is not the lateness of an answer.
    this.since = passes ? -1 : since;
    this.lead = lead;
  }

  /** The loop has slept until the latest moment: its program does not poll. */
  slept(): void {
    this.spent = 0;
  }

  /** A moment inside the present turn. */
  within(): number {
    return this.hypotheses.add(0, this.turn, this.longestTurn + this.hypotheses.blocked.since(this.turn));
  }

  /** The program waits inside the present turn. */
  wait(ms: number): void {
    const { hypotheses, turn, longestTurn, lateness } = this;
    hypotheses.wait(ms, turn, longestTurn + hypotheses.blocked.since(turn) + ms);
    lateness.slept(this.timeline.last);
  }

  /** How late this may be answered, after {@link Awaited.since}, ms. */
  longestSince({ since, lead }: Awaited): number {
    const longest = lead + this.longestWait;
    if (longest === Number.POSITIVE_INFINITY) return longest;
    return longest + this.hypotheses.blocked.postponed(this.timeline, since, longest - this.longestTurn);
  }

  /** At this time something that waits would be answered too late. */
  isTooLate(at: number, except?: Awaited): boolean {
    const late = (each: Awaited): boolean =>
      each !== except && at - this.timeline.timeOf(each.since) > this.longestSince(each);
    return this.pool.pending.some(late) || this.arrivals.list.some(late);
  }

  /**
   * By how much timers are late when this comes, for which the loop sleeps until it is there; null where that is too much
   * for them or for what else waits. `shift`: by so much everything may have to move before.
   */
  latenessUntil(request: Awaited, shift: number): number | null {
    const at = this.timeline.timeOf(request.since) + request.lead + shift;
    if (request.lead === 0 || at <= this.now) return 0;
    const late = Math.max(0, this.hypotheses.overdue(at));
    return late > this.longestTurn || this.isTooLate(at, request) ? null : late;
  }

  /** It was answered, or is not wanted any more. */
  over(request: Awaited, moment: number): void {
    this.lateness.over(request, moment, this.hypotheses.blocked.since(request.issued));
  }

  /** What is issued now. */
  awaited(id: number): Awaited {
    const issued = this.within();
    const isFirst = this.since < 0;
    return {
      id,
      seq: ++this.seq,
      issued,
      since: isFirst ? issued : this.since,
      lead: isFirst ? 0 : this.lead,
    };
  }

  /** The position of what was issued last of all that waits for the poll phase; -1 where nothing does. */
  get latestWaiting(): number {
    return Math.max(this.pool.pending.at(-1)?.seq ?? -1, ...this.arrivals.list.map(({ seq }) => seq));
  }

  remove(request: Awaited): void {
    if (!this.arrivals.remove(request)) this.pool.remove(request);
  }
}

/** What a turn takes of so many in a row, in units. */
function slowness(spun: number): number {
  const more = Math.max(0, Math.ceil((spun - SPINNING.from) / SPINNING.doubles));
  return Math.min(SPINNING.most, TURN.other * 2 ** more);
}
