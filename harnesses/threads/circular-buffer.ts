/** Two producers of one ring (the shape `circular_buffer`). Bad: both may write to the same slot. Good: a lock. */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const SIZE = 8;
const fields = { monitor: Monitor.part, next: int32(), slots: int32(SIZE) };

class Ring {
  protected readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  putAll(...items: readonly number[]): void {
    for (const item of items) this.put(item);
  }

  protected put(item: number): void {
    const { next, slots } = this.memory;
    const at = next[0]!;
    slots[at] = item;
    next[0] = (at + 1) % SIZE;
  }

  items(): number[] {
    return [...this.memory.slots].filter((item) => item !== 0).sort();
  }
}

class SafeRing extends Ring {
  protected override put(item: number): void {
    this.memory.monitor.synchronized(() => super.put(item));
  }
}

sharedTwins<Ring>({
  name: 'circular-buffer',
  bad: record({ ring: record(fields, (memory) => new Ring(memory)) }, ({ ring }) => ring),
  ok: record({ ring: record(fields, (memory) => new SafeRing(memory)) }, ({ ring }) => ring),
  threads: {
    odd: (ring) => ring.putAll(1, 3),
    even: (ring) => ring.putAll(2, 4),
  },
  check: (ring) => assert.deepEqual(ring.items(), [1, 2, 3, 4]),
  expect: { pattern: 'RWW', entity: 'ring.next' },
});
