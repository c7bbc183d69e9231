/**
 * The queue of Michael and Scott (PODC 1996), whose nodes are used once. Bad: who appends does not look whether somebody else has
 * appended meanwhile. Good: the end is compared and exchanged, and whoever finds it half done goes on with it.
 */
import { threadScenario } from '../api.ts';

const NODES = 8;
const [HEAD, TAIL, USED] = [0, 1, 2];

interface Memory {
  /** The node before the first item, one of the last ones, and how many nodes are used. */
  readonly ends: Int32Array;
  /** By node, the one behind it; 0: there is none. */
  readonly next: Int32Array;
  readonly items: Int32Array;
}

const words = (count: number): Int32Array => new Int32Array(new SharedArrayBuffer(4 * count));

class Queue {
  readonly memory: Memory;

  constructor(memory: Memory) {
    this.memory = memory;
  }

  push(item: number): void {
    const { ends, items, next } = this.memory;
    const node = Atomics.add(ends, USED, 1) + 1;
    items[node] = item;
    for (;;) {
      const last = Atomics.load(ends, TAIL);
      const behind = Atomics.load(next, last);
      if (behind !== 0) Atomics.compareExchange(ends, TAIL, last, behind);
      else if (this.append(last, node)) {
        Atomics.compareExchange(ends, TAIL, last, node);
        return;
      }
    }
  }

  /** 0: it is empty. */
  pop(): number {
    const { ends, items, next } = this.memory;
    for (;;) {
      const first = Atomics.load(ends, HEAD);
      const last = Atomics.load(ends, TAIL);
      const behind = Atomics.load(next, first);
      if (behind === 0) return 0;
      if (first === last) Atomics.compareExchange(ends, TAIL, last, behind);
      else if (Atomics.compareExchange(ends, HEAD, first, behind) === first) return items[behind]!;
    }
  }

  items(): number[] {
    const { ends, items, next } = this.memory;
    const found: number[] = [];
    for (let node = next[ends[HEAD]!]!; node !== 0; node = next[node]!) found.push(items[node]!);
    return found;
  }

  protected append(last: number, node: number): boolean {
    Atomics.store(this.memory.next, last, node);
    return true;
  }
}

class SafeQueue extends Queue {
  protected override append(last: number, node: number): boolean {
    return Atomics.compareExchange(this.memory.next, last, 0, node) === 0;
  }
}

for (const [name, Class] of Object.entries({ bad: Queue, ok: SafeQueue }))
  threadScenario({
    name: `queue/${name}`,
    memory: (): Memory => {
      const memory = { ends: words(3), next: words(NODES), items: words(NODES) };
      memory.ends.set([1, 1, 1]);
      return memory;
    },
    attach: (memory) => new Class(memory),
    operations: {
      push: { run: (queue, item: number) => queue.push(item), args: [[5], [6]] },
      pop: { run: (queue) => queue.pop() },
    },
    observe: (queue) => queue.items(),
  });
