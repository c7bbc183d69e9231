import { acquire, acquireShared, nameShared, release, releaseShared } from '../annotate.ts';
import { futexLock, futexUnlock } from './futex.ts';
import type { Part, Region } from './layout.ts';
import { SELF, SyncError } from './misuse.ts';

const READERS = 1;
const WRITER = 2;
/** Changes whenever somebody may go on who could not before. */
const CHANGES = 3;

/**
 * Many readers or one writer. Not re-entrant; a reader cannot become a writer. Writers may starve while readers
 * come and go.
 */
export class ReadWriteLock {
  static readonly part: Part<ReadWriteLock> = { bytes: 16, attach: (region) => new ReadWriteLock(region) };

  readonly name: string;
  /** The lock word of futex.ts, which guards the others; how many read; who writes; changes. */
  private readonly words: Int32Array;
  /** Whether this thread reads. */
  private reading = false;

  constructor({ buffer, offset, name }: Region) {
    this.name = name;
    this.words = new Int32Array(buffer, offset, 4);
    nameShared(this.words.subarray(0, 1), name);
  }

  /** @throws SyncError if this thread reads or writes already. */
  lockShared(): void {
    this.refuseSelf();
    acquireShared(this.words, () => {
      this.when(() => this.words[WRITER] === 0);
      this.words[READERS]!++;
      futexUnlock(this.words);
    });
    this.reading = true;
  }

  /** @throws SyncError if this thread does not read. */
  unlockShared(): void {
    if (!this.reading) throw new SyncError(`${this.name}: read lock given back by a thread that has none`);
    this.reading = false;
    releaseShared(this.words, () => {
      futexLock(this.words);
      this.words[READERS]!--;
      this.changed();
    });
  }

  /** @throws SyncError if this thread reads or writes already. */
  lock(): void {
    this.refuseSelf();
    acquire(this.words, () => {
      this.when(() => this.words[WRITER] === 0 && this.words[READERS] === 0);
      this.words[WRITER] = SELF;
      futexUnlock(this.words);
    });
  }

  /** @throws SyncError if this thread does not write. */
  unlock(): void {
    if (!this.writing) throw new SyncError(`${this.name}: write lock given back by a thread that has none`);
    release(this.words, () => {
      futexLock(this.words);
      this.words[WRITER] = 0;
      this.changed();
    });
  }

  /** Runs `body` as a reader. */
  read<T>(body: () => T): T {
    this.lockShared();
    try {
      return body();
    } finally {
      this.unlockShared();
    }
  }

  /** Runs `body` as the writer. */
  write<T>(body: () => T): T {
    this.lock();
    try {
      return body();
    } finally {
      this.unlock();
    }
  }

  private get writing(): boolean {
    return this.words[WRITER] === SELF;
  }

  private refuseSelf(): void {
    if (this.writing || this.reading)
      throw new SyncError(`${this.name}: locked again by a thread that holds it`);
  }

  /** Returns with the guard taken and `condition` true. */
  private when(condition: () => boolean): void {
    for (;;) {
      futexLock(this.words);
      if (condition()) return;
      const seen = this.words[CHANGES]!;
      futexUnlock(this.words);
      Atomics.wait(this.words, CHANGES, seen);
    }
  }

  /** Gives the guard back after something changed. */
  private changed(): void {
    Atomics.add(this.words, CHANGES, 1);
    futexUnlock(this.words);
    Atomics.notify(this.words, CHANGES);
  }
}
