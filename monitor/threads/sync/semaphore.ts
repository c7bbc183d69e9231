import { acquire, nameShared, receive, release, send } from '../annotate.ts';
import type { Part, Region } from './layout.ts';
import { SELF, SyncError } from './misuse.ts';

/** Permits beyond the initial ones; below zero while initial ones are out. */
const CHANGE = 0;
const OWNER = 1;

/** What is taken with `acquire` is given back with `release`, by anybody, or made by it. */
export class Semaphore {
  static readonly part = (permits: number): Part<Semaphore> => ({
    bytes: 8,
    attach: (region) => new Semaphore(region, permits),
  });

  /** One permit, given back by who took it: a lock, and prediction treats it as one. */
  static readonly binary: Part<Semaphore> = { bytes: 8, attach: (region) => new Semaphore(region, 1, true) };

  readonly name: string;
  private readonly words: Int32Array;
  private readonly permits: number;
  private readonly isLock: boolean;

  /** @param permits how many there are at first. */
  constructor({ buffer, offset, name }: Region, permits: number, isLock = false) {
    this.name = name;
    this.permits = permits;
    this.isLock = isLock;
    this.words = new Int32Array(buffer, offset, 2);
    nameShared(this.words.subarray(0, 1), name);
  }

  /** Takes a permit, waits for one if there is none. @throws SyncError if it is binary and held by this thread. */
  acquire(): void {
    if (this.isLock && this.words[OWNER] === SELF)
      throw new SyncError(`${this.name}: acquired again by the thread that holds it`);
    const announce = this.isLock ? acquire : receive;
    announce(this.words, () => {
      while (!this.take()) Atomics.wait(this.words, CHANGE, -this.permits);
    });
  }

  /** Takes a permit if there is one at once. */
  tryAcquire(): boolean {
    return (this.isLock ? acquire : receive)(this.words, () => this.take());
  }

  /** @throws SyncError if it is binary and this thread did not acquire it. */
  release(): void {
    if (this.isLock && this.words[OWNER] !== SELF)
      throw new SyncError(`${this.name}: released by a thread that did not acquire it`);
    const announce = this.isLock ? release : send;
    announce(this.words, () => {
      if (this.isLock) this.words[OWNER] = 0;
      Atomics.add(this.words, CHANGE, 1);
      Atomics.notify(this.words, CHANGE, 1);
    });
  }

  private take(): boolean {
    for (;;) {
      const change = Atomics.load(this.words, CHANGE);
      if (change + this.permits <= 0) return false;
      if (Atomics.compareExchange(this.words, CHANGE, change, change - 1) !== change) continue;
      if (this.isLock) this.words[OWNER] = SELF;
      return true;
    }
  }
}
