/**
 * A stack of Treiber, whose nodes are used again. Bad: who pops sees the same node on top and takes it for the same stack, though
 * it was taken off and put back meanwhile (ABA). Good: the top has a number that each change raises.
 */
import { threadScenario } from '../api.ts';

/** Nodes are counted from 1; 0 is none. */
const NODES = 5;
const [TOP, FREE] = [0, 1];

interface Memory {
  readonly ends: Int32Array;
  readonly next: Int32Array;
  readonly items: Int32Array;
}

/** An end says which node is first, and how often it was changed. */
const nodeOf = (end: number): number => end & 0xff;

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count));

class Stack {
  readonly memory: Memory;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  /** False: it is full. */
  push(item: number): boolean {
    const node = this.take(FREE);
    if (node === null) return false;
    this.memory.items[node] = item;
    this.put(TOP, node);
    return true;
  }

  /** 0: it is empty. */
  pop(): number {
    const { ends, items, next } = this.memory;
    for (;;) {
      const top = Atomics.load(ends, TOP);
      const node = nodeOf(top);
      if (node === 0) return 0;
      const item = Atomics.load(items, node);
      const below = Atomics.load(next, node);
      if (Atomics.compareExchange(ends, TOP, top, this.changed(top, below)) !== top) continue;
      this.put(FREE, node);
      return item;
    }
  }

  items(): number[] {
    const { ends, items, next } = this.memory;
    const found: number[] = [];
    for (let node = nodeOf(ends[TOP]!); node !== 0 && found.length <= NODES; node = next[node]!)
      found.push(items[node]!);
    return found;
  }

  protected changed(_end: number, node: number): number {
    return node;
  }

  private take(end: number): number | null {
    const { ends, next } = this.memory;
    for (;;) {
      const first = Atomics.load(ends, end);
      const node = nodeOf(first);
      if (node === 0) return null;
      const second = Atomics.load(next, node);
      if (Atomics.compareExchange(ends, end, first, this.changed(first, second)) === first) return node;
    }
  }

  private put(end: number, node: number): void {
    const { ends, next } = this.memory;
    for (;;) {
      const first = Atomics.load(ends, end);
      Atomics.store(next, node, nodeOf(first));
      if (Atomics.compareExchange(ends, end, first, this.changed(first, node)) === first) return;
    }
  }
}

class SafeStack extends Stack {
  protected override changed(end: number, node: number): number {
    return (((end >> 8) + 1) << 8) | node;
  }
}

for (const [name, Class] of Object.entries({ bad: Stack, ok: SafeStack }))
  threadScenario({
    name: `stack/${name}`,
    memory: (): Memory => {
      const memory = { ends: words(2), next: words(NODES + 1), items: words(NODES + 1) };
      // Two are on it, three are free.
      memory.ends.set([1, 3]);
      memory.next.set([0, 2, 0, 4, 5, 0]);
      memory.items.set([0, 7, 8]);
      return memory;
    },
    attach: (memory) => new Class(memory),
    operations: {
      push: { run: (stack, item: number) => stack.push(item), args: [[1], [2]] },
      pop: { run: (stack) => stack.pop() },
    },
    observe: (stack) => stack.items(),
  });
