/** Two locks in opposite orders. Good: in one order; and, silent too, in opposite orders one after the other. */
import assert from 'node:assert/strict';
import { CountDownLatch, int32, Mutex, record } from '../../monitor/threads/api.ts';
import { shared, sharedTwins } from '../lib/shared.ts';

const fields = { a: Mutex.part, b: Mutex.part, total: int32(), firstDone: CountDownLatch.part(1) };

function addUnder(outer: Mutex, inner: Mutex, total: Int32Array): void {
  outer.runExclusive(() => inner.runExclusive(() => total[0]!++));
}

const opposite = record(fields, (attached) => ({ ...attached, outer: attached.b, inner: attached.a }));
const same = record(fields, (attached) => ({ ...attached, outer: attached.a, inner: attached.b }));

sharedTwins({
  name: 'abba',
  bad: opposite,
  ok: same,
  threads: {
    ab: ({ a, b, total }) => addUnder(a, b, total),
    ba: ({ outer, inner, total }) => addUnder(outer, inner, total),
  },
  check: ({ total }) => assert.equal(total[0], 2),
  expect: { deadlock: true },
});

shared({
  name: 'abba/sequential',
  memory: opposite,
  threads: {
    ab: ({ a, b, total, firstDone }) => {
      addUnder(a, b, total);
      firstDone.countDown();
    },
    ba: ({ outer, inner, total, firstDone }) => {
      firstDone.wait();
      addUnder(outer, inner, total);
    },
  },
  check: ({ total }) => assert.equal(total[0], 2),
  expect: { bug: false },
});
