/**
 * When further witnesses add nothing. A witness that holds no lock can meet whatever its epoch can; so a few of
 * them, of different threads, stand for all others whose epochs meet nothing more. That is what keeps a long
 * trace cheap: most accesses are covered after a few of their kind.
 *
 * Sets of epochs are bits; only the first 32 epochs take part (those in which the threads begin come first).
 */
import type { Epochs } from './epochs.ts';

const BITS = 32;

export class EpochCoverage {
  private readonly epochs: Epochs;
  /** For each epoch of the trace, as a set: which of the first epochs can meet it. Equal sets once. */
  private readonly meets: readonly number[];
  /** How many epochs take part. */
  readonly limit: number;

  /** `epochs`: those of the whole trace. */
  constructor(epochs: Epochs) {
    this.epochs = epochs;
    this.limit = Math.min(BITS, epochs.count);
    const meets = new Set<number>();
    for (let other = 0; other < epochs.count; other++) meets.add(this.meeting(epochs, other));
    this.meets = [...meets];
  }

  /** The bit of an epoch; 0 if it takes no part. */
  bit(epoch: number): number {
    return epoch < BITS ? 1 << epoch : 0;
  }

  /** The set of the epochs of one thread from `from` to `until`. */
  bits(from: number, until: number): number {
    let bits = this.bit(from);
    for (let epoch = from; epoch !== until && epoch < BITS; ) {
      epoch = this.epochs.next(epoch);
      bits |= this.bit(epoch);
    }
    return bits;
  }

  /** The epochs whose witnesses add nothing to witnesses without locks in the epochs `free`. */
  covered(free: number): number {
    let open = 0;
    for (const meet of this.meets) if ((meet & free) === 0) open |= meet;
    return ~open;
  }

  /** Whether a row with witnesses without locks in the epochs `free` meets any row, whatever that has witnesses of. */
  isWhole(free: number): boolean {
    return free !== 0 && this.meets.every((meet) => (meet & free) !== 0);
  }

  /** The first epochs, of other threads, that an epoch is consistent with. */
  meeting(epochs: Epochs, other: number): number {
    let meet = 0;
    for (let epoch = 0; epoch < this.limit; epoch++)
      if (epochs.thread(epoch) !== epochs.thread(other) && epochs.areConsistent(epoch, other))
        meet |= 1 << epoch;
    return meet;
  }
}
