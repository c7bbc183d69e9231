import { acquire, nameShared, receive, release, send } from '../annotate.ts';
import { futexLock, futexUnlock } from './futex.ts';
import type { Part, Region } from './layout.ts';
import { SELF, SyncError } from './misuse.ts';
import { WaitSet } from './wait-set.ts';

const OWNER = 1;
const DEPTH = 2;
const WORDS = 4;

/**
 * A re-entrant lock with a wait set, as every object of Java has one. Unlike there a wait ends only by a
 * notification or its time-out, and the thread that waits longest is notified first.
 */
export class Monitor {
  static readonly part: Part<Monitor> = {
    bytes: WORDS * 4 + WaitSet.bytes,
    attach: (region) => new Monitor(region),
  };

  readonly name: string;
  /** The lock word of futex.ts, the owner, how often it has entered. The last two are the owner's alone. */
  private readonly words: Int32Array;
  private readonly waiters: WaitSet;

  constructor({ buffer, offset, name }: Region) {
    this.name = name;
    this.words = new Int32Array(buffer, offset, WORDS);
    this.waiters = new WaitSet({ buffer, offset: offset + WORDS * 4, name: `${name}.waiters` });
    nameShared(this.words.subarray(0, 1), name);
  }

  /** Whether this thread is inside. */
  get held(): boolean {
    return this.words[OWNER] === SELF;
  }

  enter(): void {
    if (this.held) this.words[DEPTH]!++;
    else this.take(1);
  }

  /** @throws SyncError if this thread is not inside. */
  exit(): void {
    this.mustHold('left');
    if (this.words[DEPTH]! > 1) this.words[DEPTH]!--;
    else this.giveBack();
  }

  /** Runs `body` inside: a method declared `synchronized`. */
  synchronized<T>(body: () => T): T {
    this.enter();
    try {
      return body();
    } finally {
      this.exit();
    }
  }

  /**
   * Leaves the monitor, however often it was entered, until it is notified, and enters it again.
   *
   * @param timeout in milliseconds
   * @returns false if the time was over first.
   * @throws SyncError if this thread is not inside.
   */
  wait(timeout = Number.POSITIVE_INFINITY): boolean {
    this.mustHold('waited for');
    const depth = this.words[DEPTH]!;
    const slot = this.giveBack(() => this.waiters.join());
    receive(this.waiters.channel, () => slot.wait(timeout));
    // A notification that came while this thread was on its way back, after the time was over, counts.
    return this.take(depth, () => this.waiters.leave(slot));
  }

  /** Wakes the thread that waits longest, if any. @throws SyncError if this thread is not inside. */
  notify(): void {
    this.mustHold('notified');
    // One step, whoever waits: else what a thread does would depend on how far others are.
    send(this.waiters.channel, () => this.waiters.next()?.notify());
  }

  /** Wakes all threads that wait. @throws SyncError if this thread is not inside. */
  notifyAll(): void {
    this.mustHold('notified');
    send(this.waiters.channel, () => {
      for (let slot = this.waiters.next(); slot; slot = this.waiters.next()) slot.notify();
    });
  }

  private take<T>(depth: number, then?: () => T): T {
    return acquire(this.words, () => {
      futexLock(this.words);
      this.words[OWNER] = SELF;
      this.words[DEPTH] = depth;
      return then?.() as T;
    });
  }

  private giveBack<T>(first?: () => T): T {
    return release(this.words, () => {
      const result = first?.() as T;
      this.words[OWNER] = 0;
      this.words[DEPTH] = 0;
      futexUnlock(this.words);
      return result;
    });
  }

  private mustHold(what: string): void {
    if (!this.held) throw new SyncError(`${this.name}: ${what} by a thread that is not inside`);
  }
}
