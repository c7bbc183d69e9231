/** Everybody locks, but not the same lock (the shape `wrong-lock`). Good: one lock for one counter. */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = { readersLock: Mutex.part, writersLock: Mutex.part, count: int32() };

interface Counter {
  readonly count: Int32Array;
  readonly first: Mutex;
  readonly second: Mutex;
}

type Fields = AttachedFields<typeof fields>;

function increment(lock: Mutex, count: Int32Array): void {
  lock.runExclusive(() => {
    const before = count[0]!;
    count[0] = before + 1;
  });
}

sharedTwins<Counter>({
  name: 'wrong-lock',
  bad: record(fields, ({ count, readersLock, writersLock }: Fields) => ({
    count,
    first: readersLock,
    second: writersLock,
  })),
  ok: record(fields, ({ count, writersLock }: Fields) => ({
    count,
    first: writersLock,
    second: writersLock,
  })),
  threads: {
    one: ({ first, count }) => increment(first, count),
    two: ({ second, count }) => increment(second, count),
  },
  check: ({ count }) => assert.equal(count[0], 2),
  expect: { pattern: 'RWW', entity: 'count' },
});
