/**
 * One seat and two customers. Bad: who sees that one is left takes it, in two steps. Good: in one. In the observed
 * order the second customer finds nothing and writes nothing: the failure takes a way that no recording shows.
 */
import assert from 'node:assert/strict';
import { int32, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

class Hall {
  readonly free: Int32Array;
  readonly sold: Int32Array;

  constructor({ free, sold }: { free: Int32Array; sold: Int32Array }) {
    this.free = free;
    this.sold = sold;
  }

  reserve(): void {
    const left = Atomics.load(this.free, 0);
    if (left === 0) return;
    Atomics.store(this.free, 0, left - 1);
    Atomics.add(this.sold, 0, 1);
  }
}

class SafeHall extends Hall {
  override reserve(): void {
    const left = Atomics.load(this.free, 0);
    if (left === 0) return;
    if (Atomics.compareExchange(this.free, 0, left, left - 1) === left) Atomics.add(this.sold, 0, 1);
    else this.reserve();
  }
}

const fields = { free: int32(), sold: int32() };

sharedTwins<Hall>({
  name: 'last seat',
  bad: record(fields, (parts) => new Hall(parts)),
  ok: record(fields, (parts) => new SafeHall(parts)),
  initial: ({ free }) => {
    free[0] = 1;
  },
  threads: { ann: (hall) => hall.reserve(), bob: (hall) => hall.reserve() },
  check: ({ sold }) => assert.equal(sold[0], 1),
  expect: { pattern: ['RWW', 'RRW'], entity: 'free' },
});
