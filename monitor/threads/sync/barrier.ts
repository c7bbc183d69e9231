import { arrive, leave, nameShared } from '../annotate.ts';
import type { Part, Region } from './layout.ts';

const ARRIVED = 0;
/** The generation is the first of two words. In reports odd ones are another barrier than even ones. */
const GENERATION = 1;

/** Where `parties` threads wait for each other, again and again. */
export class Barrier {
  static readonly part = (parties: number): Part<Barrier> => ({
    bytes: 16,
    attach: (region) => new Barrier(region, parties),
  });

  private readonly words: Int32Array;
  private readonly parties: number;

  constructor({ buffer, offset, name }: Region, parties: number) {
    this.parties = parties;
    this.words = new Int32Array(buffer, offset, 4);
    for (const parity of [0, 1]) nameShared(this.words.subarray(parity, parity + 1), name);
  }

  /** Waits until all are here. True for the one that came last. */
  arriveAndWait(): boolean {
    // While this thread has not arrived, the generation cannot end.
    const generation = this.words[GENERATION]!;
    // Two names in turn: no thread can be in a generation and another still in the one before the last.
    const identity = this.words.subarray(generation & 1);
    let last = false;
    arrive(identity, () => {
      last = Atomics.add(this.words, ARRIVED, 1) + 1 === this.parties;
      if (!last) return;
      Atomics.store(this.words, ARRIVED, 0);
      Atomics.add(this.words, GENERATION, 1);
      Atomics.notify(this.words, GENERATION);
    });
    leave(identity, () => {
      Atomics.wait(this.words, GENERATION, generation);
    });
    return last;
  }
}
