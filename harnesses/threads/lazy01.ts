/**
 * Two threads add to a number, a third one relies on not being the last (the shape `lazy01`): a bug of the order of
 * whole threads. Good: it relies on what is true in every order.
 */
import assert from 'node:assert/strict';
import { int32, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = { lock: Mutex.part, data: int32() };

sharedTwins({
  name: 'lazy01',
  bad: record(fields, (attached) => ({ ...attached, limit: 2 })),
  ok: record(fields, (attached) => ({ ...attached, limit: 3 })),
  threads: {
    judge: ({ lock, data, limit }) => lock.runExclusive(() => assert.ok(data[0]! <= limit)),
    one: ({ lock, data }) => lock.runExclusive(() => data[0]!++),
    two: ({ lock, data }) => lock.runExclusive(() => (data[0]! += 2)),
  },
  check: ({ data }) => assert.equal(data[0], 3),
  expect: { order: true },
});
