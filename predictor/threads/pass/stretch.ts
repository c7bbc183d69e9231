/**
 * What one thread has done in its current transaction: its accesses by entity, and the points between them at
 * which it held less. Everything is forgotten when the next transaction begins.
 *
 * Between two accesses only those points matter at which less is held than at any point since the first of
 * them: the releases of the locks held there, outermost last. Where locks are not nested, or an order-only
 * operation lies between, every release and operation is looked at.
 */
import { Op } from '../../../data/threads/trace.ts';
import type { Positions } from './positions.ts';
import { doubled } from './witnesses.ts';

/** Is told of every pair of accesses, with each position between them that matters. */
export interface Pairs {
  /** `cut`: the event that leads to `position`; `first` itself to begin with. */
  pair(
    thread: number,
    entity: number,
    firstShape: number,
    secondShape: number,
    position: number,
    first: number,
    cut: number,
    second: number,
  ): void;
}

const EMPTY = 1 << 6;

export class Stretch {
  /** Where the thread is now. */
  position: number;
  /** In a transaction. */
  isInside = false;
  private readonly thread: number;
  private readonly positions: Positions;
  private lockState = 0;
  /** Of the states of locks met in this epoch: the position. */
  private positionOf: number[] = [];
  private depth = 0;
  /** Locks are released in reverse order, and no order-only operation was met, in this transaction. */
  private isPlain = true;
  private transaction = 0;

  /** Of each entity, in two columns: the transaction that touched it last, and its last access there. */
  private readonly touched: Int32Array;

  /** Accesses of this transaction: event, shape, position, the one before to the entity, hold, place in the log. */
  private accesses: Int32Array = new Int32Array(6 * EMPTY);
  private accessCount = 0;
  /** Holds of this transaction: lock and mode, the hold below, the release and the position after it (-1: none yet). */
  private holds: Int32Array = new Int32Array(4 * EMPTY);
  private holdCount = 0;
  private topHold = -1;
  /** Releases and order-only operations: event, position after it. */
  private log: Int32Array = new Int32Array(2 * EMPTY);
  private logCount = 0;

  constructor(thread: number, entities: number, positions: Positions) {
    this.thread = thread;
    this.positions = positions;
    this.touched = new Int32Array(2 * entities);
    this.position = positions.of(thread, 0);
  }

  /** Anything but an access. */
  step(op: number, object: number, event: number): void {
    switch (op) {
      case Op.Acquire:
      case Op.AcquireShared:
        this.acquire(op, object);
        break;
      case Op.Release:
      case Op.ReleaseShared:
        this.release(op, object, event);
        break;
      case Op.Begin:
        if (this.depth++ === 0) this.begin();
        break;
      case Op.End:
        this.isInside = --this.depth > 0;
        break;
      default:
        this.positions.epochs.step(op, this.thread, object);
        this.positionOf = [];
        this.move();
        this.isPlain = false;
        this.remember(event);
    }
  }

  /**
   * An access in the transaction. It pairs with the earlier ones to the entity back to the last of its own
   * kind (the low bit of a shape), of which it is the next of that kind.
   */
  access(entity: number, shape: number, event: number, pairs: Pairs): void {
    const { accesses, touched } = this;
    const before = touched[2 * entity] === this.transaction ? touched[2 * entity + 1]! : -1;
    for (let at = before; at >= 0; at = accesses[at + 3]!) {
      this.pairUp(entity, at, shape, event, pairs);
      if (((accesses[at + 1]! ^ shape) & 1) === 0) break;
    }
    touched[2 * entity] = this.transaction;
    touched[2 * entity + 1] = this.push(event, shape, before);
  }

  private pairUp(entity: number, at: number, shape: number, event: number, pairs: Pairs): void {
    const { accesses, holds, log, thread } = this;
    const first = accesses[at]!;
    const firstShape = accesses[at + 1]!;
    const position = accesses[at + 2]!;
    pairs.pair(thread, entity, firstShape, shape, position, first, first, event);
    if (!this.isPlain)
      for (let i = accesses[at + 5]!; i < this.logCount; i += 2)
        pairs.pair(thread, entity, firstShape, shape, log[i + 1]!, first, log[i]!, event);
    else
      for (let hold = accesses[at + 4]!; hold >= 0 && holds[hold + 2]! >= 0; hold = holds[hold + 1]!)
        pairs.pair(thread, entity, firstShape, shape, holds[hold + 3]!, first, holds[hold + 2]!, event);
  }

  private begin(): void {
    this.isInside = true;
    this.transaction += 1;
    this.isPlain = true;
    this.accessCount = 0;
    this.logCount = 0;
    // What is held stays held: only the holds that have ended are forgotten.
    const open: number[] = [];
    for (let hold = this.topHold; hold >= 0; hold = this.holds[hold + 1]!) open.push(this.holds[hold]!);
    this.holdCount = 0;
    this.topHold = -1;
    for (const lock of open.reverse()) this.hold(lock);
  }

  private acquire(op: number, object: number): void {
    const { locks } = this.positions;
    const held = locks.held(this.lockState);
    this.lockState = locks.step(this.lockState, op, object);
    // An inner re-entrant acquire changes nothing.
    if (locks.held(this.lockState) === held) return;
    this.move();
    this.hold(2 * object + (op === Op.AcquireShared ? 1 : 0));
  }

  private release(op: number, object: number, event: number): void {
    const { locks } = this.positions;
    const held = locks.held(this.lockState);
    this.lockState = locks.step(this.lockState, op, object);
    if (locks.held(this.lockState) === held) return;
    this.move();
    const { holds } = this;
    const lock = 2 * object + (op === Op.ReleaseShared ? 1 : 0);
    if (holds[this.topHold] === lock) {
      holds[this.topHold + 2] = event;
      holds[this.topHold + 3] = this.position;
      this.topHold = holds[this.topHold + 1]!;
    } else {
      this.isPlain = false;
      let above = this.topHold;
      while (holds[holds[above + 1]!] !== lock) above = holds[above + 1]!;
      holds[above + 1] = holds[holds[above + 1]! + 1]!;
    }
    this.remember(event);
  }

  private move(): void {
    const { lockState, positionOf } = this;
    this.position = positionOf[lockState] ??= this.positions.of(this.thread, lockState);
  }

  private hold(lock: number): void {
    if (this.holdCount === this.holds.length) this.holds = doubled(this.holds);
    const at = this.holdCount;
    this.holdCount += 4;
    this.holds[at] = lock;
    this.holds[at + 1] = this.topHold;
    this.holds[at + 2] = -1;
    this.topHold = at;
  }

  private remember(event: number): void {
    if (!this.isInside) return;
    if (this.logCount === this.log.length) this.log = doubled(this.log);
    this.log[this.logCount] = event;
    this.log[this.logCount + 1] = this.position;
    this.logCount += 2;
  }

  private push(event: number, shape: number, before: number): number {
    if (this.accessCount === this.accesses.length) this.accesses = doubled(this.accesses);
    const { accesses } = this;
    const at = this.accessCount;
    this.accessCount += 6;
    accesses[at] = event;
    accesses[at + 1] = shape;
    accesses[at + 2] = this.position;
    accesses[at + 3] = before;
    accesses[at + 4] = this.topHold;
    accesses[at + 5] = this.logCount;
    return at;
  }
}
