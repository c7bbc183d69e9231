/**
 * A bounded queue of several producers and consumers, each cell with the number of the turn in which it may be used (after
 * Dmitry Vyukov). Bad: who takes a place does not look whether somebody else was faster. Good: it is compared and exchanged.
 *
 * Full and empty are said of a moment when others are in the middle: a consumer may find nothing although a second producer has
 * ended, as long as the first one has not. The queue promises no more, and `refuses` says so.
 */
import { threadScenario } from '../api.ts';

const SIZE = 2;

interface Memory {
  readonly tail: Int32Array;
  readonly head: Int32Array;
  readonly turns: Int32Array;
  readonly items: Int32Array;
}

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count));

/** The queue is full, or empty, as far as one can see. */
class NotNow extends Error {
  readonly code = 'EAGAIN';
}

class Queue {
  readonly memory: Memory;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  push(item: number): void {
    const { tail, turns, items } = this.memory;
    for (;;) {
      const at = Atomics.load(tail, 0);
      const ahead = Atomics.load(turns, at % SIZE) - at;
      if (ahead < 0) throw new NotNow();
      if (ahead > 0 || !this.advance(tail, at)) continue;
      items[at % SIZE] = item;
      Atomics.store(turns, at % SIZE, at + 1);
      return;
    }
  }

  pop(): number {
    const { head, turns, items } = this.memory;
    for (;;) {
      const at = Atomics.load(head, 0);
      const ahead = Atomics.load(turns, at % SIZE) - (at + 1);
      if (ahead < 0) throw new NotNow();
      if (ahead > 0 || !this.advance(head, at)) continue;
      const item = items[at % SIZE]!;
      Atomics.store(turns, at % SIZE, at + SIZE);
      return item;
    }
  }

  /** What is in it, when nobody changes it. */
  items(): number[] {
    const { head, tail, items } = this.memory;
    return Array.from({ length: tail[0]! - head[0]! }, (_, at) => items[(head[0]! + at) % SIZE]!);
  }

  protected advance(end: Int32Array, at: number): boolean {
    Atomics.store(end, 0, at + 1);
    return true;
  }
}

class SafeQueue extends Queue {
  protected override advance(end: Int32Array, at: number): boolean {
    return Atomics.compareExchange(end, 0, at, at + 1) === at;
  }
}

for (const [name, Class] of Object.entries({ bad: Queue, ok: SafeQueue }))
  threadScenario({
    name: `bounded queue/${name}`,
    memory: (): Memory => {
      const turns = words(SIZE);
      for (const at of turns.keys()) turns[at] = at;
      return { tail: words(1), head: words(1), turns, items: words(SIZE) };
    },
    attach: (memory) => new Class(memory),
    operations: {
      push: { run: (queue, item: number) => queue.push(item), args: [[1], [2]], refuses: ['EAGAIN'] },
      pop: { run: (queue) => queue.pop(), refuses: ['EAGAIN'] },
    },
    observe: (queue) => queue.items(),
  });
