/** Tasks of one event loop that are stuck on each other's locks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isCircle, lockWaits } from '../../report/lock-waits.ts';
import { TraceBuilder } from '../predictor/trace-builder.ts';

/** Each of two tasks takes its own lock and asks for the one of `wants`. */
function stuck(wants: readonly [string, string]) {
  const t = new TraceBuilder();
  const tasks = ['ann', 'bob'].map((name) => t.activation(name));
  for (const task of tasks) {
    t.begin(task);
    t.wait(`${task}`);
    t.acquire(`${task}`);
  }
  tasks.forEach((task, i) => {
    t.begin(task);
    t.wait(wants[i]!);
  });
  return lockWaits(t.build());
}

test('who waits for whom is told where they wait for each other', () => {
  const lines = stuck(['2', '1']);
  assert.deepEqual(lines, ['`ann` waits for 2, held by `bob`', '`bob` waits for 1, held by `ann`']);
  assert.equal(isCircle(lines), true);
});

test('who waits for somebody that goes on is in no circle', () => {
  assert.deepEqual(stuck(['2', 'free']), []);
  assert.equal(isCircle(['`ann` waits at a.ts:1:2: await job']), false);
});
