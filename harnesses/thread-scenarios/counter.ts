/** A counter that threads share. Bad: it is read, and then written. Good: one step adds. */
import { threadScenario } from '../api.ts';

class Counter {
  readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  add(n: number): number {
    const sum = this.words[0]! + n;
    this.words[0] = sum;
    return sum;
  }

  get(): number {
    return Atomics.load(this.words, 0);
  }
}

class SafeCounter extends Counter {
  override add(n: number): number {
    return Atomics.add(this.words, 0, n) + n;
  }
}

for (const [name, Class] of Object.entries({ bad: Counter, ok: SafeCounter }))
  threadScenario({
    name: `counter/${name}`,
    memory: () => new Int32Array(new SharedArrayBuffer(4)),
    attach: (words) => new Class(words),
    operations: {
      add: { run: (counter, n: number) => counter.add(n), args: [[1], [2]] },
      get: { run: (counter) => counter.get(), reads: true },
    },
  });
