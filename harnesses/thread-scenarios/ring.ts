/**
 * A ring buffer of one producer and one consumer. Bad: an item is announced before it is there. Good: the other way round. That
 * nobody else produces or consumes is what `alone` says.
 */
import { threadScenario } from '../api.ts';

const SIZE = 4;
/** How many were written, how many were read, and the items. */
const [WRITTEN, READ, ITEMS] = [0, 1, 2];

class Ring {
  readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  write(item: number): boolean {
    const { words } = this;
    const written = Atomics.load(words, WRITTEN);
    if (written - Atomics.load(words, READ) === SIZE) return false;
    this.publish(written, item);
    return true;
  }

  read(): number {
    const { words } = this;
    const read = Atomics.load(words, READ);
    if (read === Atomics.load(words, WRITTEN)) return 0;
    const item = words[ITEMS + (read % SIZE)]!;
    Atomics.store(words, READ, read + 1);
    return item;
  }

  size(): number {
    return this.words[WRITTEN]! - this.words[READ]!;
  }

  protected publish(written: number, item: number): void {
    Atomics.store(this.words, WRITTEN, written + 1);
    this.words[ITEMS + (written % SIZE)] = item;
  }
}

class SafeRing extends Ring {
  protected override publish(written: number, item: number): void {
    this.words[ITEMS + (written % SIZE)] = item;
    Atomics.store(this.words, WRITTEN, written + 1);
  }
}

for (const [name, Class] of Object.entries({ bad: Ring, ok: SafeRing }))
  threadScenario({
    name: `ring/${name}`,
    memory: () => new Int32Array(new SharedArrayBuffer(4 * (ITEMS + SIZE))),
    attach: (words) => new Class(words),
    operations: {
      write: { run: (ring, item: number) => ring.write(item), args: [[5], [6]], alone: 'producer' },
      read: { run: (ring) => ring.read(), alone: 'consumer' },
    },
    observe: (ring) => ring.size(),
  });
