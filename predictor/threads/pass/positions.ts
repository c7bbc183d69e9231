/** A position of a thread as one number: its epoch and the class of what it holds, which say whom it can meet. */
import type { Epochs } from './epochs.ts';
import { LockClasses } from './lock-classes.ts';
import { PairIndex } from './pair-index.ts';

export class Positions {
  readonly locks = new LockClasses();
  readonly epochs: Epochs;
  private readonly ids = new PairIndex();

  constructor(epochs: Epochs) {
    this.epochs = epochs;
  }

  of(epoch: number, lockClass: number): number {
    return this.ids.of(epoch, lockClass);
  }

  /** Whether two threads can be at these positions at once, as far as locks and must-order say. */
  canMeet(a: number, b: number): boolean {
    const { epochs, ids, locks } = this;
    const [e, f] = [ids.first(a), ids.first(b)];
    return (
      epochs.thread(e) !== epochs.thread(f) &&
      locks.areCompatible(ids.second(a), ids.second(b)) &&
      epochs.areConsistent(e, f)
    );
  }

  /** Whether whoever can meet `b` can meet `a`, too: the same epoch, and no more locks. */
  isWeaker(a: number, b: number): boolean {
    const { ids, locks } = this;
    return ids.first(a) === ids.first(b) && locks.isWeaker(ids.second(a), ids.second(b));
  }
}
