/**
 * The work-stealing queue of Cilk (the THE protocol), whose owner pushes and pops at the tail while thieves steal at
 * the head, and three ways to get it wrong (iterative context bounding, section 2.1). Every item must be taken once.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Mutex, record } from '../../monitor/threads/api.ts';
import type { Expectation } from '../api.ts';
import { shared } from '../lib/shared.ts';

const SIZE = 4;
const NOTHING = 0;
const fields = { lock: Mutex.part, head: int32(), tail: int32(), items: int32(SIZE), took: int32(SIZE * 3) };

class Queue {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  push(item: number): void {
    const { tail, items } = this.memory;
    const at = tail[0]!;
    items[at % SIZE] = item;
    tail[0] = at + 1;
  }

  /** Announces that it takes the last item, then looks whether a thief was faster. */
  pop(): number {
    const { lock, head, tail } = this.memory;
    const last = tail[0]! - 1;
    tail[0] = last;
    if (head[0]! <= last) return this.item(last);
    tail[0] = last + 1;
    return lock.runExclusive(() => {
      tail[0] = last;
      if (head[0]! <= last) return this.item(last);
      tail[0] = last + 1;
      return NOTHING;
    });
  }

  /** Announces that it takes the first item, then looks whether the owner was faster. */
  steal(): number {
    return this.memory.lock.runExclusive(() => this.stealUnlocked());
  }

  protected stealUnlocked(): number {
    const { head, tail } = this.memory;
    const first = head[0]!;
    head[0] = first + 1;
    if (first < tail[0]!) return this.item(first);
    head[0] = first;
    return NOTHING;
  }

  protected item(at: number): number {
    return this.memory.items[at % SIZE]!;
  }
}

/** Looks before it announces. */
class PopLooksFirst extends Queue {
  override pop(): number {
    const { head, tail } = this.memory;
    const last = tail[0]! - 1;
    if (head[0]! > last) return NOTHING;
    tail[0] = last;
    return this.item(last);
  }
}

/** Looks before it announces, though under its lock, which the owner does not take. */
class StealLooksFirst extends Queue {
  protected override stealUnlocked(): number {
    const { head, tail } = this.memory;
    const first = head[0]!;
    if (first >= tail[0]!) return NOTHING;
    head[0] = first + 1;
    return this.item(first);
  }
}

/** Thieves do not exclude each other. */
class StealWithoutLock extends Queue {
  override steal(): number {
    return this.stealUnlocked();
  }
}

/** What a thread took, where nobody else writes. */
function take(queue: Queue, self: number, ...how: ('pop' | 'steal')[]): void {
  for (const [at, method] of how.entries()) queue.memory.took[self * SIZE + at] = queue[method]();
}

function queue(name: string, Class: typeof Queue, expect: Expectation): void {
  shared<Queue>({
    name: `work-stealing queue ${name}`,
    memory: record({ queue: record(fields, (memory) => new Class(memory)) }, ({ queue }) => queue),
    threads: {
      thief: (queue) => take(queue, 1, 'steal'),
      owner: (queue) => {
        queue.push(1);
        queue.push(2);
        take(queue, 0, 'pop', 'pop');
      },
      otherThief: (queue) => take(queue, 2, 'steal'),
    },
    check: (queue) => {
      const taken = [...queue.memory.took].filter((item) => item !== NOTHING);
      for (let item = queue.pop(); item !== NOTHING; item = queue.pop()) taken.push(item);
      assert.deepEqual(taken.sort(), [1, 2], 'items that were taken');
    },
    expect,
  });
}

queue('pop looks first', PopLooksFirst, { bug: true, pattern: 'WRW', entityMatch: '^queue\\.(head|tail)$' });
queue('steal looks first', StealLooksFirst, { bug: true, pattern: 'WRW', entity: 'queue.tail' });
queue('steal without lock', StealWithoutLock, { bug: true, pattern: 'RWW', entity: 'queue.head' });
queue('ok', Queue, { bug: false });
