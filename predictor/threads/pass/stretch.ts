/**
 * What one thread has done in its current transaction: its accesses by entity, and the points between them at
 * which it held less. Everything is forgotten when the next transaction begins.
 *
 * Between two accesses only those points matter at which less is held than at any point since the first of
 * them: the releases of the locks held there, outermost last. Where locks are not nested, or an order-only
 * operation lies between, every release and operation is looked at; unless the thread held nothing at some point
 * of each epoch between, which makes one run of them.
 */
import { Op } from '../../../data/threads/trace.ts';
import type { Epochs } from './epochs.ts';
import type { LockClasses } from './lock-classes.ts';
import { LockLog, useOf } from './lock-log.ts';
import { doubled } from './pair-index.ts';

/** Is told of every pair of accesses, with each point between them that matters. */
export interface Pairs {
  /** The number of a pair of accesses, each as a number of the caller's. */
  pairOf(first: number, second: number): number;
  /** Whether the pair last asked for is of no use any more, wherever in this epoch the thread stands between. */
  isCovered(epoch: number): boolean;
  /** The pair last asked for. `cut`: the event that leads to the point between; `first` itself to begin with. */
  pair(pair: number, epoch: number, lockClass: number, first: number, cut: number, second: number): void;
  /** The same, where the thread holds nothing at some point of each of these epochs. `cut` leads to the first. */
  pairRun(pair: number, from: number, until: number, first: number, cut: number, second: number): void;
}

const EMPTY = 1 << 6;
/** Room for holds that is cleared up outside transactions. */
const MANY_HOLDS = 1 << 12;
/** Fields of an access, of a hold, and of an entry of the log. */
const [EVENT, WHAT, EPOCH, MARK, BEFORE, HOLD, LOGGED, ACCESS] = [0, 1, 2, 3, 4, 5, 6, 7];
const [USE, BELOW, RELEASE, RELEASED, HOLDS] = [0, 1, 2, 3, 4];
const [LOG_EVENT, LOG_EPOCH, LOG_MARK, LOG] = [0, 1, 2, 3];

export class Stretch {
  /** In a transaction. */
  isInside = false;
  private readonly thread: number;
  private readonly epochs: Epochs;
  private readonly locks: LockLog;
  private depth = 0;
  /** A lock was held at an order-only operation. */
  private hasHeld = false;
  /** Locks are released in reverse order, and no order-only operation was met, in this transaction. */
  private isPlain = true;
  private transaction = 0;
  /** The place of the last epoch that ended, in this transaction, without a point at which nothing was held. */
  private lastHeld = -1;
  /** Where the log stood when this epoch began. */
  private entered = 0;

  /** Of each entity, in two columns: the transaction that touched it last, and its last access there. */
  private readonly touched: Int32Array;

  /** Accesses of this transaction: event, access, epoch, mark, the one before to the entity, hold, place in the log. */
  private accesses: Int32Array = new Int32Array(ACCESS * EMPTY);
  private accessCount = 0;
  /** Holds of this transaction: lock and mode, the hold below, the release and the mark after it (-1: none yet). */
  private holds: Int32Array = new Int32Array(HOLDS * EMPTY);
  private holdCount = 0;
  private topHold = -1;
  /** Releases and order-only operations: event, epoch and mark after it. */
  private log: Int32Array = new Int32Array(LOG * EMPTY);
  private logCount = 0;

  constructor(thread: number, entities: number, epochs: Epochs, classes: LockClasses) {
    this.thread = thread;
    this.epochs = epochs;
    this.locks = new LockLog(classes);
    this.touched = new Int32Array(2 * entities);
  }

  /** Where the thread is now. */
  get epoch(): number {
    return this.epochs.current[this.thread]!;
  }

  /** Whether it has always released locks in reverse order, and held none at an order-only operation. */
  get isSimple(): boolean {
    return this.locks.isNested && !this.hasHeld;
  }

  /** Whether it holds no lock now. */
  get isFree(): boolean {
    return this.locks.held === 0;
  }

  /** What it holds now. */
  get lockClass(): number {
    return this.locks.class(this.locks.mark);
  }

  /** Anything but an access. */
  step(op: number, object: number, event: number): void {
    switch (op) {
      case Op.Acquire:
      case Op.AcquireShared:
        this.acquire(useOf(object, op === Op.AcquireShared));
        break;
      case Op.Release:
      case Op.ReleaseShared:
        this.release(useOf(object, op === Op.ReleaseShared), event);
        break;
      case Op.Begin:
        if (this.depth++ === 0) this.begin();
        break;
      case Op.End:
        this.isInside = --this.depth > 0;
        break;
      default:
        this.enter(event);
    }
  }

  private enter(event: number): void {
    const { epochs, locks } = this;
    if (locks.held > 0) this.hasHeld = true;
    if (epochs.freeAt(this.epoch) < 0) this.lastHeld = epochs.place(this.epoch);
    epochs.enter(this.thread);
    this.isPlain = false;
    this.entered = this.logCount;
    this.remember(event);
  }

  /**
   * An access in the transaction; `what` says which entity and program point, and in its low bit whether it
   * writes. It pairs with the earlier ones to the entity back to the last of its own kind, of which it is the
   * next of that kind.
   */
  access(entity: number, what: number, event: number, pairs: Pairs): void {
    const { touched } = this;
    const before = touched[2 * entity] === this.transaction ? touched[2 * entity + 1]! : -1;
    for (let at = before; at >= 0; at = this.accesses[at + BEFORE]!) {
      this.pairUp(at, what, event, pairs);
      if (((this.accesses[at + WHAT]! ^ what) & 1) === 0) break;
    }
    touched[2 * entity] = this.transaction;
    touched[2 * entity + 1] = this.push(event, what, before);
  }

  private pairUp(at: number, what: number, event: number, pairs: Pairs): void {
    const { accesses, locks } = this;
    const pair = pairs.pairOf(accesses[at + WHAT]!, what);
    const epoch = accesses[at + EPOCH]!;
    const first = accesses[at + EVENT]!;
    if (this.isPlain) {
      if (pairs.isCovered(epoch)) return;
      const free = this.freeRelease(accesses[at + HOLD]!);
      if (free >= 0) {
        pairs.pair(pair, epoch, 0, first, free, event);
        return;
      }
    }
    const here = accesses[at + MARK]!;
    if (!pairs.isCovered(epoch)) pairs.pair(pair, epoch, locks.class(here), first, first, event);
    if (this.isPlain) this.pairReleases(pair, at, event, pairs);
    else if (epoch === this.epoch || this.lastHeld > this.epochs.place(epoch))
      this.pairLog(pair, accesses[at + LOGGED]!, this.logCount, first, event, pairs);
    else this.pairEpochs(pair, at, event, pairs);
  }

  /** Every release and operation of a part of the log. */
  private pairLog(pair: number, from: number, to: number, first: number, second: number, pairs: Pairs): void {
    const { locks, log } = this;
    for (let i = from; i < to; i += LOG) {
      const epoch = log[i + LOG_EPOCH]!;
      if (pairs.isCovered(epoch)) continue;
      pairs.pair(pair, epoch, locks.class(log[i + LOG_MARK]!), first, log[i + LOG_EVENT]!, second);
    }
  }

  /** An access of an earlier epoch; nothing was held at some point of each epoch between. */
  private pairEpochs(pair: number, at: number, event: number, pairs: Pairs): void {
    const { accesses, epochs, locks } = this;
    const first = accesses[at + EVENT]!;
    const epoch = accesses[at + EPOCH]!;
    const isFree = locks.isFree(accesses[at + MARK]!);
    const from = isFree ? epoch : epochs.next(epoch);
    const until = epochs.freeAt(this.epoch) < 0 ? epochs.previous(this.epoch) : this.epoch;
    if (!isFree) {
      let end = accesses[at + LOGGED]!;
      while (this.log[end + LOG_EPOCH] === epoch) end += LOG;
      this.pairLog(pair, accesses[at + LOGGED]!, end, first, event, pairs);
    }
    if (epochs.place(from) <= epochs.place(until))
      pairs.pairRun(pair, from, until, first, isFree ? first : epochs.freeAt(from), event);
    if (until !== this.epoch) this.pairLog(pair, this.entered, this.logCount, first, event, pairs);
  }

  /** The release, of a hold or those below it, after which nothing is held; -1 if there is none. */
  private freeRelease(from: number): number {
    const { holds, locks } = this;
    for (let hold = from; hold >= 0 && holds[hold + RELEASE]! >= 0; hold = holds[hold + BELOW]!)
      if (locks.isFree(holds[hold + RELEASED]!)) return holds[hold + RELEASE]!;
    return -1;
  }

  private pairReleases(pair: number, at: number, event: number, pairs: Pairs): void {
    const { accesses, holds, locks } = this;
    const epoch = accesses[at + EPOCH]!;
    const first = accesses[at + EVENT]!;
    for (let hold = accesses[at + HOLD]!; hold >= 0; hold = holds[hold + BELOW]!) {
      const release = holds[hold + RELEASE]!;
      if (release < 0 || pairs.isCovered(epoch)) return;
      pairs.pair(pair, epoch, locks.class(holds[hold + RELEASED]!), first, release, event);
    }
  }

  private begin(): void {
    this.isInside = true;
    this.transaction += 1;
    this.isPlain = true;
    this.accessCount = 0;
    this.logCount = 0;
    this.entered = 0;
    this.locks.forget();
    this.compact();
  }

  /** What is held stays held: the holds that have ended are forgotten. */
  private compact(): void {
    const open: number[] = [];
    for (let hold = this.topHold; hold >= 0; hold = this.holds[hold + BELOW]!)
      open.push(this.holds[hold + USE]!);
    this.holdCount = 0;
    this.topHold = -1;
    for (const use of open.reverse()) this.hold(use);
  }

  /** Outside transactions nobody looks back. */
  private forget(): void {
    this.locks.forget();
    if (this.holdCount >= MANY_HOLDS) this.compact();
  }

  private acquire(use: number): void {
    // An inner re-entrant acquire changes nothing.
    if (!this.locks.acquire(use)) return;
    if (!this.isInside) this.forget();
    this.hold(use);
  }

  private release(use: number, event: number): void {
    if (!this.locks.release(use)) return;
    if (!this.isInside) this.forget();
    const { holds } = this;
    if (holds[this.topHold + USE] === use) {
      holds[this.topHold + RELEASE] = event;
      holds[this.topHold + RELEASED] = this.locks.mark;
      this.topHold = holds[this.topHold + BELOW]!;
    } else {
      this.isPlain = false;
      let above = this.topHold;
      while (holds[holds[above + BELOW]!] !== use) above = holds[above + BELOW]!;
      holds[above + BELOW] = holds[holds[above + BELOW]! + BELOW]!;
    }
    this.remember(event);
  }

  private hold(use: number): void {
    if (this.holdCount === this.holds.length) this.holds = doubled(this.holds);
    const at = this.holdCount;
    this.holdCount += HOLDS;
    this.holds[at + USE] = use;
    this.holds[at + BELOW] = this.topHold;
    this.holds[at + RELEASE] = -1;
    this.topHold = at;
  }

  private remember(event: number): void {
    if (!this.isInside) return;
    if (!this.isPlain && this.locks.held === 0) this.epochs.free(this.epoch, event);
    if (this.logCount + LOG > this.log.length) this.log = doubled(this.log);
    const { log, logCount } = this;
    log[logCount + LOG_EVENT] = event;
    log[logCount + LOG_EPOCH] = this.epoch;
    log[logCount + LOG_MARK] = this.locks.mark;
    this.logCount += LOG;
  }

  private push(event: number, what: number, before: number): number {
    if (this.accessCount + ACCESS > this.accesses.length) this.accesses = doubled(this.accesses);
    const { accesses } = this;
    const at = this.accessCount;
    this.accessCount += ACCESS;
    accesses[at + EVENT] = event;
    accesses[at + WHAT] = what;
    accesses[at + EPOCH] = this.epoch;
    accesses[at + MARK] = this.locks.mark;
    accesses[at + BEFORE] = before;
    accesses[at + HOLD] = this.topHold;
    accesses[at + LOGGED] = this.logCount;
    return at;
  }
}
