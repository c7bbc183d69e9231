/**
 * A thread's part in passing the token. Exactly one thread runs at a time; whoever holds the token writes the
 * control memory, chooses the next thread when its grant is used up, and wakes that one directly.
 */
import { Op } from '../../data/threads/trace.ts';
import type { ThreadActivation } from '../../monitor/threads/activation.ts';
import type { Token } from '../../monitor/threads/token.ts';
import { choose, type Held, inState, isReady } from './choice.ts';
import {
  type Control,
  EVENT_WORDS,
  H,
  isInForce,
  OUTCOME,
  packEvent,
  RULE,
  record,
  SIGNAL,
  STATE,
  STRAY,
  T,
  WOKEN,
} from './control.ts';
import { Parking, unpark } from './parking.ts';
import type { ThreadCallers } from './thread-callers.ts';

/** Who holds the token before the first thread does. */
const NOBODY = -1;

/** Thrown in a thread whose execution is over before its end: a deadlock. Not the program's to catch. */
export class ThreadStopped extends Error {}

/** Reads without a write after which a thread may be spinning, and looks that then tell. */
const READS = 48;
/** Equal looks at the same few places that are a spin loop. */
const SPIN = 16;
/** Looks that are remembered: a loop may test several words. */
const REMEMBERED = 4;
/** All that can run spin, and nobody has written: after so many rounds it is time that goes on. */
export const IDLE_ROUNDS = 100;

// The originals: what the program calls is wrapped.
const { add, load, notify, store, wait } = Atomics;

export class Holder implements Token {
  quiet = 1;
  readonly free: boolean = false;
  protected readonly words: Int32Array;
  protected readonly grants: Int32Array;
  private readonly events: Int32Array;
  private readonly capacity: number;
  protected readonly self: number;
  protected readonly mine: number;
  protected steps = 0;
  /** Steps of the grant, of which so many are left. */
  private granted = 0;
  /** Words of the log that are written. */
  protected at = 0;
  /** Reads since the last write. */
  private reads = 0;
  /** The last looks, as address and value, and how many of the last were among them. */
  private readonly looks: unknown[] = new Array(2 * REMEMBERED);
  private oldest = 0;
  private repeated = 0;
  /** Points of the transactions that the thread is in, outermost first, and how many are told: those in which it did something. */
  private readonly inside: number[] = [];
  private depth = 0;
  private told = 0;
  private readonly parking: Parking;
  /** Of an execution that is to tell from where accesses are called. */
  callers: ThreadCallers | null = null;
  /** Hands the token over without being any of the threads. */
  private nobody: Holder | null = null;

  get asksForChanges(): boolean {
    return false;
  }

  constructor(control: Omit<Control, 'registry'>, self: number) {
    this.words = control.words;
    this.grants = control.grants;
    this.events = control.log;
    this.capacity = control.log.length;
    this.self = self;
    this.mine = record(self);
    this.parking = new Parking(control.words, self);
  }

  /** Has the token for good, with an empty log: for measuring what steps cost. */
  measure(): void {
    this.quiet = 0;
    this.steps = 0x7fffffff;
    this.at = 0;
  }

  /** Waits for the first grant of an execution. */
  begin(): void {
    this.renew();
    this.words[this.mine + T.State] = STATE.Ready;
    this.words[this.mine + T.Operation] = -1;
    if (add(this.words, H.Arrived, 1) + 1 === this.words[H.Threads]) this.launch();
    this.park();
    this.quiet = 0;
  }

  /** Nothing is known of executions before. */
  protected renew(): void {
    this.receive(0);
    this.depth = 0;
    this.told = 0;
    this.forget();
  }

  /** The last thread that arrives lets the first one go; who that is does not depend on who came last. */
  protected launch(): void {
    this.at = 0;
    this.nobody ??= new Holder({ words: this.words, grants: this.grants, log: this.events }, NOBODY);
    this.nobody.handOver(true);
  }

  /** The thread has come to its end. */
  end(): void {
    this.quiet = 1;
    this.words[this.mine + T.State] = STATE.Ended;
    if (this.steps > 0) this.stray(STRAY.Diverged);
    this.handOver(true);
  }

  step(): void {
    if (this.steps > 0) {
      this.steps -= 1;
      return;
    }
    if (!this.handOver(false)) this.park();
    this.steps -= 1;
  }

  log(op: Op, object: number, point: number): void {
    if (this.told < this.depth && this.words[H.Transactions] === 1) this.tellTransactions();
    this.put(op, object, point);
  }

  /** Begins those that the thread is in and that nothing was done in so far. */
  private tellTransactions(): void {
    while (this.told < this.depth) this.put(Op.Begin, -1, this.inside[this.told++]!);
  }

  protected put(op: Op, object: number, point: number): void {
    const { at, events } = this;
    if (this.callers !== null && op <= Op.Write)
      this.callers.access((this.words[H.Taken]! + at) / EVENT_WORDS, point);
    events[at] = packEvent(this.self, op, point);
    events[at + 1] = object;
    this.at = at + EVENT_WORDS;
    if (this.at === this.capacity) this.flush();
  }

  read(address: number, point: number): boolean {
    if (this.steps > 0) this.steps -= 1;
    else this.step();
    this.log(Op.Read, address, point);
    return ++this.reads > READS;
  }

  write(address: number, point: number): void {
    if (this.steps > 0) this.steps -= 1;
    else this.step();
    this.log(Op.Write, address, point);
    this.wrote(address);
  }

  wrote(address: number): void {
    this.reads = 0;
    if (this.repeated > 0) this.forget();
    if ((this.words[H.Waiting]! | this.words[H.Idle]!) !== 0) this.wakeSpinners(address);
  }

  looked(address: number, value: unknown): void {
    const { looks } = this;
    for (let i = 0; i < looks.length; i += 2)
      if (looks[i] === address && looks[i + 1] === value) {
        if (++this.repeated >= SPIN) this.spin(address);
        return;
      }
    this.repeated = 0;
    looks[this.oldest] = address;
    looks[this.oldest + 1] = value;
    this.oldest = (this.oldest + 2) % looks.length;
    // It reads something else every time: no spin loop, and not looked at for a while.
    if (this.reads > READS + looks.length) this.reads = 0;
  }

  wait(address: number, timeoutMs: number): 'ok' | 'timed-out' {
    const { mine, words } = this;
    this.forget();
    words[mine + T.Deadline] = Number.isFinite(timeoutMs) ? words[H.Clock]! + Math.ceil(timeoutMs) : -1;
    this.block(STATE.Blocked, address);
    return words[mine + T.Woken] === WOKEN.TimedOut ? 'timed-out' : 'ok';
  }

  notify(address: number, count: number): number {
    this.forget();
    let woken = 0;
    for (; woken < count; woken++) {
      const first = this.longestWaiting(address);
      if (first < 0) break;
      this.wake(first, WOKEN.Notified);
    }
    return woken;
  }

  spin(address: number): void {
    this.forget();
    // A grant is used up step by step, whatever the steps are good for.
    if (this.quiet === 0 && this.steps > 0 && this.isDirected()) return;
    this.words[this.mine + T.Deadline] = -1;
    this.block(STATE.Spinning, address);
  }

  entered(op: Op, place: number, point: number): void {
    const { mine, words } = this;
    words[mine + T.Operation] = op;
    words[mine + T.Place] = place;
    words[mine + T.Point] = point;
    this.forget();
  }

  left(): void {
    this.words[this.mine + T.Operation] = -1;
    this.forget();
  }

  enter(point: number): void {
    this.inside[this.depth++] = point;
  }

  leave(): void {
    this.depth -= 1;
    if (this.told <= this.depth) return;
    this.told = this.depth;
    if (this.mayTell()) this.put(Op.End, -1, this.inside[this.depth]!);
  }

  changed(_from: unknown, _to: unknown, _conditional: boolean): void {}

  waits(): void {}

  goesOn(): void {}

  opened(activation: ThreadActivation): void {
    this.callers?.begin(activation);
  }

  closed(_activation: ThreadActivation): void {}

  /** Who is stopped has nothing more to tell. */
  protected mayTell(): boolean {
    return load(this.words, H.Signal) !== SIGNAL.Ended;
  }

  protected forget(): void {
    this.reads = 0;
    this.repeated = 0;
    this.looks.fill(undefined);
  }

  /** Whether this thread runs because a schedule says so. */
  protected isDirected(): boolean {
    return this.words[H.Grant]! < this.words[H.Grants]!;
  }

  /** Gives the token away until this thread can go on. */
  protected block(state: number, address: number): void {
    const { mine, words } = this;
    words[mine + T.State] = state;
    words[mine + T.Address] = address;
    words[mine + T.Ticket] = ++words[H.Ticket]!;
    words[H.Waiting]! += 1;
    // An annotated operation was granted in order to come to pass.
    if (this.steps > 0 || this.quiet > 0) this.stray(STRAY.Infeasible);
    if (!this.handOver(true)) this.park();
  }

  /** The grant cannot be used up: from here on there is no schedule any more. */
  protected stray(kind: number): void {
    const { words } = this;
    this.granted -= this.steps;
    this.steps = 0;
    if (!this.isDirected()) return;
    words[H.Strayed] = words[H.Grant]!;
    words[H.StrayKind] = kind;
    words[H.Grant] = words[H.Grants]!;
  }

  /** Chooses the next thread and wakes it. True: it is this one. `leaving`: it cannot be, unless time wakes it. */
  protected handOver(leaving: boolean): boolean {
    const { words } = this;
    if (load(words, H.Signal) === SIGNAL.Ended) throw new ThreadStopped();
    while (this.isDirected()) {
      const at = ++words[H.Grant]!;
      if (at >= words[H.Grants]!) break;
      const thread = this.grants[2 * at]!;
      if (this.mayGo(thread)) return this.give(thread, this.grants[2 * at + 1]!);
      this.stray(words[record(thread) + T.State] === STATE.Ended ? STRAY.Diverged : STRAY.Infeasible);
    }
    const able = this.able();
    if (able.length === 0) {
      this.finish();
      return false;
    }
    const { thread, steps } = choose(words, able, this.held(leaving));
    return this.give(thread, steps);
  }

  /** The token goes on, or may; each step is told once. */
  protected held(leaving: boolean): Held {
    const steps = this.granted - this.steps;
    this.granted = this.steps;
    return { by: this.self, steps, leaving };
  }

  /** This thread may take so many steps. */
  protected receive(steps: number): void {
    this.steps = steps;
    this.granted = steps;
  }

  /** Whether a thread can use a grant. */
  protected mayGo(thread: number): boolean {
    return isReady(this.words, thread);
  }

  /** Who can run. Where nobody can: those that spin, then those whose time is up first. */
  protected able(): number[] {
    const { words } = this;
    const ready = inState(words, STATE.Ready);
    const timed = this.nextTimed();
    const isHasty = timed >= 0 && !isInForce(words, RULE.patience);
    if (ready.length > 0 && !isHasty) return ready;
    const spinning = inState(words, STATE.Spinning);
    if (!isHasty && spinning.length > 0 && (timed < 0 || words[H.Idle]! < IDLE_ROUNDS)) {
      words[H.Idle]! += 1;
      for (const thread of spinning) this.wake(thread, WOKEN.Notified);
      return spinning;
    }
    if (timed < 0) return [];
    words[H.Clock] = words[record(timed) + T.Deadline]!;
    this.wake(timed, WOKEN.TimedOut);
    return [timed];
  }

  protected nextTimed(): number {
    const { words } = this;
    let first = -1;
    for (const thread of inState(words, STATE.Blocked)) {
      const deadline = words[record(thread) + T.Deadline]!;
      if (deadline < 0) continue;
      const isEarlier = first >= 0 && deadline < words[record(first) + T.Deadline]!;
      if (first < 0 || isEarlier === isInForce(words, RULE.deadlines)) first = thread;
    }
    return first;
  }

  protected longestWaiting(address: number): number {
    const { words } = this;
    let first = -1;
    for (const thread of inState(words, STATE.Blocked)) {
      const its = record(thread);
      if (words[its + T.Address] !== address) continue;
      if (first < 0 || words[its + T.Ticket]! < words[record(first) + T.Ticket]!) first = thread;
    }
    return first;
  }

  private wakeSpinners(address: number): void {
    const { words } = this;
    words[H.Idle] = 0;
    for (const thread of inState(words, STATE.Spinning))
      if (words[record(thread) + T.Address] === address) this.wake(thread, WOKEN.Notified);
  }

  protected wake(thread: number, how: number): void {
    const { words } = this;
    words[record(thread) + T.State] = STATE.Ready;
    words[record(thread) + T.Woken] = how;
    words[H.Waiting]! -= 1;
  }

  protected give(thread: number, steps: number): boolean {
    const { words } = this;
    if (thread === this.self) {
      this.receive(steps);
      return true;
    }
    const its = record(thread);
    words[H.Switches]! += 1;
    words[H.Events] = this.at;
    words[its + T.Left] = steps;
    unpark(words, thread);
    return false;
  }

  /** Nobody is left that can run. */
  protected finish(): void {
    const { words } = this;
    const ended = inState(words, STATE.Ended).length === words[H.Threads];
    words[H.Outcome] = ended ? OUTCOME.Ended : OUTCOME.Deadlock;
    words[H.Events] = this.at;
    store(words, H.Signal, SIGNAL.Ended);
    // Of threads that have all ended the last one to be through tells it.
    if (!ended) notify(words, H.Signal);
  }

  /** Waits for the token. */
  protected park(): void {
    const { mine, words } = this;
    this.parking.park();
    if (load(words, H.Signal) === SIGNAL.Ended) throw new ThreadStopped();
    this.receive(words[mine + T.Left]!);
    this.at = words[H.Events]!;
  }

  /** The log is full: everybody waits until the main thread has taken what is in it. */
  protected flush(): void {
    const { words } = this;
    words[H.Events] = this.at;
    store(words, H.Signal, SIGNAL.LogFull);
    notify(words, H.Signal);
    while (load(words, H.Signal) === SIGNAL.LogFull) wait(words, H.Signal, SIGNAL.LogFull);
    this.at = 0;
  }
}
