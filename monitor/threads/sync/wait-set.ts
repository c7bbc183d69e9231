/**
 * Threads that wait for a notification, longest first. All but the wait itself happens under the lock of the
 * monitor that owns the set.
 *
 * Positions count up for ever; those from `head` on have not been notified. The word of a position is reused by
 * the position SLOTS later, once its waiter has left.
 */
import { nameShared } from '../annotate.ts';
import type { Region } from './layout.ts';
import { SyncError } from './misuse.ts';

/** How many threads may wait at one monitor. */
const SLOTS = 32;
const HEAD = 0;
const TAIL = 1;
const FIRST_SLOT = 2;

const FREE = 0;
const WAITING = 1;
const NOTIFIED = 2;

export class WaitSet {
  static readonly bytes = (FIRST_SLOT + SLOTS) * 4;

  private readonly name: string;
  private readonly words: Int32Array;
  /** What notifications are sent on. */
  readonly channel: Int32Array;

  constructor({ buffer, offset, name }: Region) {
    this.name = name;
    this.words = new Int32Array(buffer, offset, FIRST_SLOT + SLOTS);
    this.channel = nameShared(this.words.subarray(0, 1), name);
  }

  /** A slot at the end of the queue. */
  join(): Slot {
    const { words } = this;
    while (words[TAIL]! - words[HEAD]! < SLOTS) {
      const slot = this.slot(words[TAIL]!++);
      if (slot.state === FREE) return slot.occupy();
    }
    throw new SyncError(`${this.name}: more than ${SLOTS} threads wait`);
  }

  /** The waiter to be notified next; undefined if nobody waits. It is not in the queue any more. */
  next(): Slot | undefined {
    const { words } = this;
    while (words[HEAD]! < words[TAIL]!) {
      const slot = this.slot(words[HEAD]!++);
      if (slot.state === WAITING) return slot;
    }
    return undefined;
  }

  /** The waiter is back. False if nobody notified it. */
  leave(slot: Slot): boolean {
    return slot.vacate() === NOTIFIED;
  }

  private slot(position: number): Slot {
    return new Slot(this.words.subarray(FIRST_SLOT + (position % SLOTS)).subarray(0, 1));
  }
}

/** Where one thread waits. */
export class Slot {
  private readonly word: Int32Array;

  constructor(word: Int32Array) {
    this.word = word;
  }

  get state(): number {
    return this.word[0]!;
  }

  occupy(): this {
    this.word[0] = WAITING;
    return this;
  }

  vacate(): number {
    const { state } = this;
    this.word[0] = FREE;
    return state;
  }

  /** Sleeps until it is notified; false if the time was over first. */
  wait(timeout: number): boolean {
    return Atomics.wait(this.word, 0, WAITING, timeout) !== 'timed-out';
  }

  notify(): void {
    Atomics.store(this.word, 0, NOTIFIED);
    Atomics.notify(this.word, 0);
  }
}
