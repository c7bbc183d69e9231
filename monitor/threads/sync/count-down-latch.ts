import { arrive, leave, nameShared } from '../annotate.ts';
import type { Part, Region } from './layout.ts';

/** Opens when it has been counted down `count` times, and stays open. */
export class CountDownLatch {
  static readonly part = (count: number): Part<CountDownLatch> => ({
    bytes: 8,
    attach: (region) => new CountDownLatch(region, count),
  });

  /** How often it was counted down, at most `count`; 1 when it is open. */
  private readonly words: Int32Array;
  private readonly count: number;

  constructor({ buffer, offset, name }: Region, count: number) {
    this.count = count;
    this.words = new Int32Array(buffer, offset, 2);
    nameShared(this.words.subarray(0, 1), name);
    // Whoever builds it with nothing to wait for, in any thread, writes the same.
    if (count === 0) this.words[OPEN] = 1;
  }

  /** Does nothing when it is open. */
  countDown(): void {
    arrive(this.words, () => {
      if (Atomics.add(this.words, 0, 1) + 1 < this.count) return;
      Atomics.store(this.words, OPEN, 1);
      Atomics.notify(this.words, OPEN);
    });
  }

  /** Waits until it is open. False if that took longer than `timeout` milliseconds. */
  wait(timeout = Number.POSITIVE_INFINITY): boolean {
    // Who waits has arrived, too: a trace in which a barrier is left without having been reached is none.
    arrive(this.words, () => {});
    return leave(this.words, () => Atomics.wait(this.words, OPEN, 0, timeout) !== 'timed-out');
  }
}

const OPEN = 1;
