/**
 * Waiting for what another thread is about to write. To wake a thread takes longer than most threads keep the token, where
 * a processor has to be woken for it: who expects its turn soon looks for about as long before it sleeps. Whether that
 * helps shows by itself.
 */
import { availableParallelism } from 'node:os';
import { H, record, T } from './control.ts';

// The originals: what the program calls is wrapped.
const { load, notify, pause, store, wait } = Atomics as typeof Atomics & { pause?: () => void };

/** Looks before a thread sleeps: some 60 µs. */
const LOOKS = 600;
/** Looking in vain so often in a row is given up, for so many waits; each further time for twice as many. */
const FAILURES = 8;
const PAUSES = { least: 32, most: 256 };
const PROCESSORS = availableParallelism();

/** Lets a thread go on that waits, or is about to. */
export function unpark(words: Int32Array, thread: number): void {
  const its = record(thread);
  store(words, its + T.Go, 1);
  // Who falls asleep says so before it looks for the last time.
  if (load(words, its + T.Asleep) === 1) notify(words, its + T.Go);
}

/** Lets all threads go on. */
export function unparkAll(words: Int32Array): void {
  for (let thread = 0; thread < words[H.Threads]!; thread++) unpark(words, thread);
}

/** Looking at a word for a moment, as long as that is worth while. */
export class Lookout {
  private readonly words: Int32Array;
  private failures = 0;
  private skipped = 0;
  private paused: number = PAUSES.least;

  constructor(words: Int32Array) {
    this.words = words;
  }

  /** True: the word is not `old` any more. */
  sees(at: number, old: number): boolean {
    if (!this.mayLook()) return false;
    const { words } = this;
    for (let looks = 0; looks < LOOKS; looks++) {
      if (load(words, at) !== old) {
        this.failures = 0;
        this.paused = PAUSES.least;
        return true;
      }
      pause!();
    }
    this.failures += 1;
    this.skipped = 0;
    if (this.failures > FAILURES) this.paused = Math.min(2 * this.paused, PAUSES.most);
    return false;
  }

  /** More threads than processors: looking would keep the others from running. */
  private mayLook(): boolean {
    if (pause === undefined || this.words[H.Threads]! > PROCESSORS) return false;
    return this.failures < FAILURES || ++this.skipped >= this.paused;
  }
}

/** The place where one thread waits for the token. */
export class Parking {
  private readonly words: Int32Array;
  private readonly go: number;
  private readonly asleep: number;
  private readonly lookout: Lookout;

  constructor(words: Int32Array, thread: number) {
    this.words = words;
    this.go = record(thread) + T.Go;
    this.asleep = record(thread) + T.Asleep;
    this.lookout = new Lookout(words);
  }

  /** Until {@link unpark}. */
  park(): void {
    const { asleep, go, words } = this;
    if (!this.lookout.sees(go, 0)) {
      store(words, asleep, 1);
      while (load(words, go) === 0) wait(words, go, 0);
      store(words, asleep, 0);
    }
    store(words, go, 0);
  }
}
