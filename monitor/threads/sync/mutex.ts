import { acquire, nameShared, release } from '../annotate.ts';
import { futexLock, futexTryLock, futexUnlock } from './futex.ts';
import type { Part, Region } from './layout.ts';
import { SELF, SyncError } from './misuse.ts';

const OWNER = 1;

/** A lock that is not re-entrant. Who waits longest is woken first; a thread that comes just then may be faster. */
export class Mutex {
  static readonly part: Part<Mutex> = { bytes: 8, attach: (region) => new Mutex(region) };

  readonly name: string;
  /** The lock word of futex.ts, the owner. Only its owner reads its own name there, so that this is no race. */
  private readonly words: Int32Array;

  constructor({ buffer, offset, name }: Region) {
    this.name = name;
    this.words = new Int32Array(buffer, offset, 2);
    nameShared(this.words.subarray(0, 1), name);
  }

  /** Whether this thread holds it. */
  get held(): boolean {
    return this.words[OWNER] === SELF;
  }

  /** @throws SyncError if this thread holds it already: it would wait for itself for ever. */
  lock(): void {
    this.refuseSelf();
    acquire(this.words, () => {
      futexLock(this.words);
      this.words[OWNER] = SELF;
    });
  }

  /** False, at once, if a thread holds it. @throws SyncError if it is this one. */
  tryLock(): boolean {
    this.refuseSelf();
    return acquire(this.words, () => {
      if (!futexTryLock(this.words)) return false;
      this.words[OWNER] = SELF;
      return true;
    });
  }

  /** @throws SyncError if this thread does not hold it. */
  unlock(): void {
    if (!this.held) throw new SyncError(`${this.name}: unlocked by a thread that does not hold it`);
    release(this.words, () => {
      this.words[OWNER] = 0;
      futexUnlock(this.words);
    });
  }

  /** Runs `body` while holding the lock. */
  runExclusive<T>(body: () => T): T {
    this.lock();
    try {
      return body();
    } finally {
      this.unlock();
    }
  }

  private refuseSelf(): void {
    if (this.held) throw new SyncError(`${this.name}: locked again by the thread that holds it`);
  }
}
