/**
 * A position of a thread as one number: its epoch and the class of what it holds, which say whom it can meet. It
 * may stand for a run of epochs, up to another one, if the thread holds the same at some point of each.
 */
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

  /** The epoch of a position, or the first of its run. */
  epoch(position: number): number {
    return this.ids.first(position);
  }

  /**
   * The first epoch of the run from `a` to `until` in which its thread can be there while another is at `b`, as
   * far as locks and must-order say; -1: none.
   */
  meeting(a: number, until: number, b: number): number {
    const { epochs, ids, locks } = this;
    const [e, f] = [ids.first(a), ids.first(b)];
    if (epochs.thread(e) === epochs.thread(f)) return -1;
    return locks.areCompatible(ids.second(a), ids.second(b)) ? epochs.meeting(e, until, f) : -1;
  }

  /** Whether whoever can meet `b` (a run up to `untilB`) can meet `a`, too: no other epochs, and no more locks. */
  isWeaker(a: number, untilA: number, b: number, untilB: number): boolean {
    const { epochs, ids, locks } = this;
    const [e, f] = [ids.first(a), ids.first(b)];
    if (e !== f && (epochs.thread(e) !== epochs.thread(f) || epochs.place(e) > epochs.place(f))) return false;
    return epochs.place(untilA) >= epochs.place(untilB) && locks.isWeaker(ids.second(a), ids.second(b));
  }
}
