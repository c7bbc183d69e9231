/**
 * A thread of a pool with an event loop under the gate. It holds the token during a turn, and while the host answers; the
 * choice of its next step is a step of the schedule. Time is one for all threads: whoever needs it to pass sleeps, and is
 * woken when nobody else can run, or because the schedule says so, as far as no other thread can be that late.
 */
import { DEFAULT_LIMITS } from '../../data/run.ts';
import { Op } from '../../data/threads/trace.ts';
import type { ThreadActivation } from '../../monitor/threads/activation.ts';
import type { Activations } from '../../monitor/threads/activations.ts';
import { AsyncHolder } from './async-holder.ts';
import { inState, isReady } from './choice.ts';
import { byChance, H, isInForce, RULE, record, STATE, STRAY, T, WOKEN } from './control.ts';
import { IDLE_ROUNDS, ThreadStopped } from './holder.ts';

/** What a thread waits for that waits only for others: not a place in memory. */
export const OTHERS = -1;
/** Steps of loops are events on channels of their own, which nobody else uses. */
const MOST_STEPS = 1 << 21;
/** Below the numbers of messages; see loops/lines.ts. */
export const FIRST_STEP = -2 - (1 << 30);
export const stepOf = (thread: number, ordinal: number): number =>
  FIRST_STEP - (thread * MOST_STEPS + ordinal);

/** Later than any time, ms. */
const NEVER = 0x3fffffff;

/** What a thread's events belong to, for tasks.ts: marks stand before the event of the same number. */
export interface CausalLog {
  /** Of each event of the thread: the call of an async function that ran; 0: none. */
  readonly by: number[];
  readonly marks: Mark[];
}

export type Mark = { readonly at: number } & (
  | { readonly kind: 'opened'; readonly id: number; readonly parent: number }
  | { readonly kind: 'closed'; readonly id: number }
  /** `source`: other threads bring it about; null: what the thread itself did led to it. */
  | { readonly kind: 'issued'; readonly request: number; readonly by: number; readonly source: number | null }
  /** From here on others can bring something about: again and again, each time a task of its own, or once, for who asked. */
  | { readonly kind: 'listens' | 'asked'; readonly source: number; readonly by: number }
  /** The event of the same number changed a word. */
  | { readonly kind: 'changed'; readonly from: string; readonly to: string; readonly conditional: boolean }
  /** What follows all of those places, whatever brought it about. */
  | { readonly kind: 'leads'; readonly place: number; readonly by: number }
  | { readonly kind: 'follows'; readonly places: readonly number[]; readonly by: number }
  | { readonly kind: 'withdrawn'; readonly request: number }
  /** The event is a step of the loop; `turn`: it begins one. */
  | { readonly kind: 'step'; readonly request: number; readonly turn: boolean; readonly name: string }
);

/** Something came later than it could: an answer of the host, or, where there is no `api`, the thread itself. */
export interface LateStep {
  readonly api: string;
  readonly what: string;
  readonly ms: number;
}
/** What is less late needs nothing that any run does not have. */
const LEAST_LATE_MS = 5;

/** A mark without its place. */
type What<M> = M extends Mark ? Omit<M, 'at'> : never;

export class LoopHolder extends AsyncHolder {
  /** Whose code runs. */
  activations: Activations | null = null;
  /** Null: nobody wants to know. */
  causalLog: CausalLog | null = null;
  /** What came late in this execution, each more than what is told before. */
  late: LateStep[] = [];
  /** The last step is an effect: what it touches belongs to it. */
  private inEffect = false;
  /** A turn is on, and not only the choice of the next one. */
  private inTurn = false;
  private taken = 0;
  private sources = 0;
  private places = 0;
  /** Where the body of a module waits, or waited last. */
  private waiting = -1;

  /** The time that all threads share, ms. */
  get time(): number {
    return this.words[H.Clock]!;
  }

  /** This thread has come to a time. */
  set time(ms: number) {
    if (ms > this.time) this.words[H.Clock] = Math.ceil(ms);
  }

  private set behind(ms: number) {
    this.words[this.mine + T.Behind] = Math.floor(Math.min(ms, NEVER));
  }

  override begin(): void {
    this.words[this.mine + T.Behind] = 0;
    super.begin();
  }

  protected override renew(): void {
    super.renew();
    this.late = [];
    this.inTurn = false;
    this.inEffect = false;
    this.taken = 0;
    this.sources = 0;
    this.places = 0;
    this.waiting = -1;
    this.causalLog = this.words[H.Transactions] === 1 ? { by: [], marks: [] } : null;
  }

  /** Something came so late. */
  tellLate(ms: number, api = '', what = ''): void {
    const most = this.late.findLast((each) => (each.api === '') === (api === ''))?.ms ?? 0;
    if (ms >= LEAST_LATE_MS && ms > most) this.late.push({ api, what, ms });
  }

  /** Who is preempted in the middle of a turn while time passes stands still. */
  protected override park(): void {
    const since = this.inTurn && this.words[this.mine + T.State] === STATE.Ready ? this.time : null;
    super.park();
    if (since !== null) this.tellLate(this.time - since);
  }

  /** Waits for a grant where there is none, so that what this thread does next is chosen when it can do it. */
  claim(behind: number): 'now' | 'later' | 'over' {
    if (this.steps > 0) return 'now';
    this.inTurn = false;
    this.behind = behind;
    try {
      if (this.handOver(false)) return 'now';
      this.park();
      return 'later';
    } catch (error) {
      if (error instanceof ThreadStopped) return 'over';
      throw error;
    }
  }

  /**
   * The scheduling point before a step of the loop that happens at `time`; `behind`: when the earliest is or was due of
   * what this thread has to do. False: the execution is over.
   */
  turn(time: number, behind: number, step: What<Mark>): boolean {
    this.inTurn = false;
    this.behind = behind;
    try {
      if (time > this.time) this.sleep(Math.ceil(time));
      this.step();
      this.inTurn = step.kind === 'step' && step.turn;
      this.inEffect = !this.inTurn;
      // From here on it is the CPU that has something to do; what takes effect is done by the pool.
      if (step.kind !== 'step' || step.turn) this.behind = Math.min(behind, this.time);
      this.tell(step);
      this.log(Op.Send, stepOf(this.self, this.taken++), 0);
      return true;
    } catch (error) {
      if (error instanceof ThreadStopped) return false;
      throw error;
    }
  }

  /** A scheduling point; its step is that of the first {@link access} that follows. */
  point(): void {
    if (this.quiet === 0 && this.steps === 0 && !this.handOver(false)) this.park();
  }

  /** Something that this thread has just brought about. Nobody comes between an effect and what it touches. */
  access(op: Op, cell: number, point: number): void {
    if (cell < 0 || this.quiet > 0) return;
    try {
      if (this.inEffect) this.steps -= 1;
      else this.step();
      this.log(op, cell, point);
    } catch (error) {
      if (!(error instanceof ThreadStopped)) throw error;
    }
  }

  /** The same where nobody can come between, because it belongs to the step before. */
  within(op: Op, cell: number, point: number): void {
    if (cell < 0 || this.quiet > 0) return;
    this.steps -= 1;
    this.log(op, cell, point);
  }

  tell(what: What<Mark>): void {
    const { causalLog } = this;
    causalLog?.marks.push({ ...what, at: causalLog.by.length });
  }

  /** What runs now begins to listen, or asks once. The number of the source. */
  awaits(kind: 'listens' | 'asked', source = this.sources++): number {
    this.tell({ kind, source, by: this.activations?.current?.id ?? 0 });
    return source;
  }

  /** A place that something later may {@link follow}. */
  lead(): number {
    const place = this.places++;
    this.tell({ kind: 'leads', place, by: this.activations?.current?.id ?? 0 });
    return place;
  }

  follow(places: readonly number[]): void {
    this.tell({ kind: 'follows', places, by: this.activations?.current?.id ?? 0 });
  }

  override get asksForChanges(): boolean {
    return this.causalLog !== null && this.quiet === 0;
  }

  override changed(from: unknown, to: unknown, conditional: boolean): void {
    const { causalLog } = this;
    const values = { from: String(from), to: String(to) };
    causalLog?.marks.push({ kind: 'changed', ...values, conditional, at: causalLog.by.length - 1 });
  }

  override waits(): void {
    if (this.causalLog !== null && this.quiet === 0) this.waiting = this.lead();
  }

  override goesOn(): void {
    if (this.waiting >= 0) this.follow([this.waiting]);
    this.waiting = -1;
  }

  override opened(activation: ThreadActivation): void {
    super.opened(activation);
    const { id, parent, point } = activation;
    if (this.causalLog === null || this.quiet > 0) return;
    this.tell({ kind: 'opened', id, parent });
    this.put(Op.Begin, -1, point);
  }

  override closed({ id, point }: ThreadActivation): void {
    if (this.causalLog === null || this.quiet > 0) return;
    this.tell({ kind: 'closed', id });
    if (this.mayTell()) this.put(Op.End, -1, point);
  }

  protected override put(op: Op, object: number, point: number): void {
    this.causalLog?.by.push(this.activations?.current?.id ?? 0);
    super.put(op, object, point);
  }

  /** This thread can do nothing before another one does something for it. False: nobody will. */
  others(): boolean {
    this.words[this.mine + T.Deadline] = -1;
    this.inTurn = false;
    this.words[this.mine + T.Point] = this.activations?.waitsAt ?? 0;
    try {
      this.block(STATE.Blocked, OTHERS);
      return true;
    } catch (error) {
      if (error instanceof ThreadStopped) return false;
      throw error;
    }
  }

  /** Nothing can happen in this thread before `time`. Tells what came first: that time, or something from another thread. */
  rest(time: number): 'time' | 'news' | 'over' {
    const { mine, words } = this;
    if (time <= this.time) return 'time';
    words[mine + T.Woken] = WOKEN.TimedOut;
    try {
      this.sleep(Math.ceil(time));
    } catch (error) {
      if (error instanceof ThreadStopped) return 'over';
      throw error;
    }
    return words[mine + T.Woken] === WOKEN.Notified ? 'news' : 'time';
  }

  rouse(thread: number): void {
    const { words } = this;
    const its = record(thread);
    if (words[its + T.State] === STATE.Blocked && words[its + T.Address] === OTHERS)
      this.wake(thread, WOKEN.Notified);
    else if (words[its + T.State] === STATE.Sleeping) {
      words[its + T.State] = STATE.Ready;
      words[its + T.Woken] = WOKEN.Notified;
    }
  }

  /** Time has to pass before this thread can go on. */
  private sleep(until: number): void {
    const { mine, words } = this;
    words[mine + T.Deadline] = until;
    const isChosen = this.isDirected() || byChance(words);
    if (this.steps > 0 && isChosen && this.mayPass(this.self)) this.time = until;
    else {
      if (this.steps > 0) this.stray(STRAY.Infeasible);
      words[mine + T.State] = STATE.Sleeping;
      if (!this.handOver(true)) this.park();
    }
  }

  /** Whether time may pass until this thread's deadline: no other one is later by that than a pause of the CPU. */
  private mayPass(thread: number): boolean {
    const { words } = this;
    if (!isInForce(words, RULE.pace)) return true;
    const most = words[record(thread) + T.Deadline]! - DEFAULT_LIMITS.maxPauseMs;
    for (let other = 0; other < words[H.Threads]!; other++) {
      if (other === thread) continue;
      const its = record(other);
      const state = words[its + T.State];
      const isTimed = state === STATE.Sleeping || (state === STATE.Blocked && words[its + T.Deadline]! >= 0);
      const behind =
        state === STATE.Ready || state === STATE.Sleeping ? words[its + T.Behind]! : Number.MAX_VALUE;
      if (Math.min(behind, isTimed ? words[its + T.Deadline]! : Number.MAX_VALUE) < most) return false;
    }
    return true;
  }

  protected override mayGo(thread: number): boolean {
    const isSleeping = this.words[record(thread) + T.State] === STATE.Sleeping;
    return isReady(this.words, thread) || (isSleeping && this.mayPass(thread));
  }

  protected override able(): number[] {
    const { words } = this;
    const ready = inState(words, STATE.Ready);
    const isRandom = !this.isDirected() && byChance(words);
    const sleeping = inState(words, STATE.Sleeping);
    const early = isRandom ? sleeping.filter((thread) => this.mayPass(thread)) : [];
    const timed = this.nextTimed();
    if (timed >= 0 && !isInForce(words, RULE.patience)) return [timed];
    if (ready.length > 0) return [...ready, ...early].sort((a, b) => a - b);
    const isOver = sleeping.length === 0 && timed < 0;
    const spinning = inState(words, STATE.Spinning);
    if (spinning.length > 0 && (isOver || words[H.Idle]! < IDLE_ROUNDS)) {
      words[H.Idle]! += 1;
      for (const thread of spinning) this.wake(thread, WOKEN.Notified);
      return spinning;
    }
    if (isOver) return [];
    const possible = timed >= 0 ? [...sleeping, timed] : sleeping;
    if (isRandom) {
      const found = possible.filter((thread) => this.mayPass(thread));
      if (found.length > 0) return found.sort((a, b) => a - b);
    }
    const dueAt = (thread: number): number => words[record(thread) + T.Deadline]!;
    return [possible.reduce((first, each) => (dueAt(each) < dueAt(first) ? each : first))];
  }

  protected override give(thread: number, steps: number): boolean {
    const { words } = this;
    const its = record(thread);
    const state = words[its + T.State];
    if (state === STATE.Sleeping || state === STATE.Blocked) {
      words[H.Idle] = 0;
      this.time = words[its + T.Deadline]!;
      if (state === STATE.Blocked) this.wake(thread, WOKEN.TimedOut);
      else words[its + T.State] = STATE.Ready;
    }
    return super.give(thread, steps);
  }

  /** Who waited was not behind. */
  protected override wake(thread: number, how: number): void {
    super.wake(thread, how);
    this.words[record(thread) + T.Behind] = this.time;
  }
}
