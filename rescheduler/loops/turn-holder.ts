/**
 * The part in passing the token of a thread that has an event loop. It asks for the token at the first step of a turn
 * and gives it back when the turn is over; between its turns it is idle and holds nothing. Where nobody can go on
 * the token lies free, for anybody or reserved for the thread whose grant is next, until a thread comes for it.
 *
 * Who comes writes its state before it looks at the token; who frees the token does so before it looks at the
 * states: one of them sees the other.
 */
import { Op } from '../../data/threads/trace.ts';
import { AsyncHolder } from '../tokens/async-holder.ts';
import { choose, inState } from '../tokens/choice.ts';
import {
  byChance,
  type Control,
  FREE,
  H,
  record,
  SIGNAL,
  STATE,
  STRAY,
  T,
  WOKEN,
} from '../tokens/control.ts';

/**
 * A grant is given up when its thread has not come, and nothing has happened, for so long: the process has slept. On a busy
 * machine a thread may take longer to start, but then it works; where somebody polls, patience ends after so many looks.
 */
const STALL_MS = 1000;
const ASLEEP_MS = 10;
const LOOKS = 10;
/** Before a random choice active threads get so long to come or to become idle. */
const SETTLE_MS = 500;
/** Between two rounds of threads that spin while nobody else can go on. */
const PAUSE_MS = 1;

// The originals: what the program calls is wrapped, or mocked.
const { add, compareExchange, load, notify, store, wait } = Atomics;
const later = setImmediate;
const now = performance.now.bind(performance);
const { cpuUsage } = process;

/** Processor time of all threads so far, ms. */
function busy(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** What a holder asks of its thread. */
export interface TurnListener {
  /** The token is about to go to others. */
  leaving(): void;
  /** Nobody will ever go on. */
  deadlock(): void;
}

export class TurnHolder extends AsyncHolder {
  private has = false;
  private begun = false;
  /** Of its wait; real time. */
  private deadline = Number.POSITIVE_INFINITY;
  private readonly listener: TurnListener;

  /** `asyncWaiters`: see wait-async.ts. */
  constructor(control: Control, asyncWaiters: Int32Array, self: number, listener: TurnListener) {
    super(control, self, asyncWaiters);
    this.listener = listener;
    this.quiet = 0;
    this.words[this.mine + T.Operation] = -1;
    // It never looks for a moment: what it waits for takes longer.
    this.words[this.mine + T.Asleep] = 1;
  }

  override step(): void {
    if (!this.has) this.come();
    super.step();
    if (!this.begun) this.begin();
  }

  override log(op: Op, object: number, point: number): void {
    if (!this.has) this.come();
    if (!this.begun) this.begin();
    super.log(op, object, point);
  }

  /** At the end of the process the token is gone before the call is over. */
  protected override mayTell(): boolean {
    return this.has;
  }

  /** What it began is over: from here on it waits for something. */
  calm(): void {
    this.become(STATE.Idle, STATE.Active);
  }

  /** Another thread has sent something to this one, or ended before its eyes. */
  rouse(thread: number): void {
    compareExchange(this.words, record(thread) + T.State, STATE.Idle, STATE.Active);
  }

  /** The thread comes to its end. */
  override end(): void {
    if (load(this.words, this.mine + T.State) === STATE.Ended) return;
    const has = this.has || this.take();
    this.has = false;
    this.listener.leaving();
    this.setState(STATE.Ended);
    if (!has) return;
    if (this.steps > 0) this.stray(STRAY.Diverged);
    this.steps = 0;
    this.handOver(true);
  }

  /** The process is about to end with this thread: nobody else makes a step any more. */
  close(): void {
    this.listener.leaving();
    if (this.has || this.take()) this.words[H.Events] = this.at;
  }

  /** A thread has ended without a word: it was terminated, or its engine gave up. */
  bury(thread: number): void {
    const { words } = this;
    const its = record(thread) + T.State;
    if (load(words, its) === STATE.Ended) return;
    store(words, its, STATE.Ended);
    notify(words, its);
    const reserved = FREE.Reserved + thread;
    // It may have taken the token with it, or nobody else may take it.
    if (compareExchange(words, H.Free, reserved, FREE.Held) !== reserved)
      if (compareExchange(words, H.Owner, thread, this.self) !== thread) return;
    this.become(STATE.Ready, STATE.Idle, STATE.Active);
    this.took();
    this.stray(STRAY.Diverged);
    this.beginTurn();
  }

  override wait(address: number, timeoutMs: number): 'ok' | 'timed-out' {
    const { mine, words } = this;
    this.forget();
    this.deadline = now() + timeoutMs;
    const limited = Number.isFinite(timeoutMs);
    words[mine + T.Deadline] = limited ? (this.deadline + performance.timeOrigin) & 0x3fffffff : -1;
    this.block(STATE.Blocked, address);
    this.deadline = Number.POSITIVE_INFINITY;
    return words[mine + T.Woken] === WOKEN.TimedOut ? 'timed-out' : 'ok';
  }

  private come(): void {
    this.become(STATE.Ready, STATE.Idle, STATE.Active, STATE.New);
    if (!this.take()) this.park();
    this.beginTurn();
  }

  private beginTurn(): void {
    this.has = true;
    later(() => this.turnOver());
  }

  /** All of a thread is one transaction; it begins with its first step. */
  override begin(): void {
    this.begun = true;
    this.put(Op.Begin, -1, 0);
  }

  private turnOver(): void {
    if (!this.has) return;
    this.has = false;
    this.listener.leaving();
    this.setState(STATE.Idle);
    // A grant lasts over the turns of its thread.
    if (this.steps > 0 && this.isDirected()) this.reserve(this.self, this.steps);
    else this.handOver(true);
    this.steps = 0;
  }

  protected override handOver(leaving: boolean): boolean {
    const { words } = this;
    this.listener.leaving();
    while (this.isDirected()) {
      const at = ++words[H.Grant]!;
      if (at >= words[H.Grants]!) break;
      const [thread, steps] = [this.grants[2 * at]!, this.grants[2 * at + 1]!];
      const state = load(words, record(thread) + T.State);
      if (state === STATE.Ready) return this.give(thread, steps);
      if (state !== STATE.Ended && state !== STATE.Blocked && state !== STATE.Spinning)
        return this.reserve(thread, steps);
      this.stray(state === STATE.Ended ? STRAY.Diverged : STRAY.Infeasible);
    }
    if (byChance(words)) this.settle();
    const able = this.able();
    if (able.length === 0) return this.lay(FREE.Anybody);
    const { thread, steps } = choose(words, able, this.held(leaving));
    return this.give(thread, steps);
  }

  /** Who can run; those that spin where nobody else can; those whose time is up where nobody else will ever come. */
  protected override able(): number[] {
    const { words } = this;
    const ready = inState(words, STATE.Ready);
    if (ready.length > 0) return ready;
    const spinning = inState(words, STATE.Spinning);
    if (spinning.length > 0) {
      wait(words, H.Generation, 0, PAUSE_MS);
      for (const thread of spinning) this.wake(thread, WOKEN.Notified);
      return inState(words, STATE.Ready);
    }
    if (inState(words, STATE.Idle).length + inState(words, STATE.Active).length > 0) return [];
    const timed = this.nextTimed();
    if (timed >= 0) {
      this.wake(timed, WOKEN.TimedOut);
      return [timed];
    }
    if (inState(words, STATE.Blocked).length > 0) this.listener.deadlock();
    return [];
  }

  /** Gives threads that are under way the time to come, so that chance has somebody to choose. */
  private settle(): void {
    const { words } = this;
    for (const thread of inState(words, STATE.Active)) {
      const its = record(thread) + T.State;
      wait(words, its, STATE.Active, SETTLE_MS);
      compareExchange(words, its, STATE.Active, STATE.Idle);
    }
  }

  protected override give(thread: number, steps: number): boolean {
    const { words } = this;
    words[H.Turns]! += 1;
    if (thread !== this.self) store(words, H.Owner, thread);
    return super.give(thread, steps);
  }

  /** Keeps the token for a thread that has yet to come. */
  private reserve(thread: number, steps: number): boolean {
    this.words[record(thread) + T.Left] = steps;
    return this.lay(FREE.Reserved + thread);
  }

  /** Lays the token down, unless who may take it has just come. */
  private lay(free: number): boolean {
    const { words } = this;
    words[H.Events] = this.at;
    store(words, H.Owner, -1);
    store(words, H.Free, free);
    const come = inState(words, STATE.Ready).filter((thread) => this.may(free, thread));
    if (come.length === 0 || compareExchange(words, H.Free, free, FREE.Held) !== free) return false;
    store(words, H.Owner, this.self);
    if (free !== FREE.Anybody) return this.give(come[0]!, words[record(come[0]!) + T.Left]!);
    const { thread, steps } = choose(words, come, this.held(false));
    return this.give(thread, steps);
  }

  private may(free: number, thread: number): boolean {
    return free === FREE.Anybody || free === FREE.Reserved + thread;
  }

  /** Takes the token if it lies there for this thread. */
  private take(): boolean {
    const { words } = this;
    const free = load(words, H.Free);
    if (!this.may(free, this.self)) return false;
    if (compareExchange(words, H.Free, free, FREE.Held) !== free) return false;
    this.took();
    if (free !== FREE.Anybody) this.receive(words[this.mine + T.Left]!);
    return true;
  }

  private took(): void {
    const { words } = this;
    store(words, H.Owner, this.self);
    words[H.Turns]! += 1;
    this.at = words[H.Events]!;
    this.receive(0);
  }

  protected override park(): void {
    const { mine, words } = this;
    let looks = 0;
    let spent = busy();
    for (let seen = load(words, H.Turns); load(words, mine + T.Go) === 0; ) {
      const left = Math.max(0, this.deadline - now());
      if (wait(words, mine + T.Go, 0, Math.min(STALL_MS, left)) !== 'timed-out') continue;
      looks = seen === load(words, H.Turns) ? looks + 1 : 0;
      const isStill = looks > 0 && (busy() - spent < ASLEEP_MS || looks >= LOOKS);
      if (left <= STALL_MS ? this.timeUp() : isStill && this.giveUp()) return;
      seen = load(words, H.Turns);
      spent = busy();
    }
    store(words, mine + T.Go, 0);
    this.receive(words[mine + T.Left]!);
    this.at = words[H.Events]!;
  }

  /** The time of this thread's wait is over. True: it has the token. */
  private timeUp(): boolean {
    const { mine, words } = this;
    this.deadline = Number.POSITIVE_INFINITY;
    if (!this.become(STATE.Ready, STATE.Blocked)) return false;
    words[mine + T.Woken] = WOKEN.TimedOut;
    add(words, H.Waiting, -1);
    return this.take();
  }

  /** Nobody comes for the grant that is next: from here on there is no schedule any more. True: it has the token. */
  private giveUp(): boolean {
    const { mine, words } = this;
    const free = load(words, H.Free);
    if (free < FREE.Reserved || load(words, mine + T.State) !== STATE.Ready) return false;
    if (compareExchange(words, H.Free, free, FREE.Held) !== free) return false;
    this.took();
    words[H.Stalled] = 1;
    this.stray(STRAY.Diverged);
    return this.handOver(false);
  }

  protected override wake(thread: number, how: number): void {
    const { words } = this;
    const its = record(thread) + T.State;
    const state = load(words, its);
    if (state !== STATE.Blocked && state !== STATE.Spinning) return;
    words[record(thread) + T.Woken] = how;
    if (compareExchange(words, its, state, STATE.Ready) === state) add(words, H.Waiting, -1);
  }

  /** No room for further events: what follows is not recorded, which the reader sees. */
  protected override flush(): void {
    store(this.words, H.Signal, SIGNAL.LogFull);
    this.at = 0;
  }

  private setState(state: number): void {
    store(this.words, this.mine + T.State, state);
    notify(this.words, this.mine + T.State);
  }

  /** Changes its state from one of those given; false: it has another one. */
  private become(state: number, ...from: readonly number[]): boolean {
    const at = this.mine + T.State;
    for (const each of from)
      if (compareExchange(this.words, at, each, state) === each) {
        notify(this.words, at);
        return true;
      }
    return false;
  }
}
