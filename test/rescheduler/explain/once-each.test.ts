import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThreadSchedule } from '../../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { onceEach } from '../../../rescheduler/explain/once-each.ts';
import type { ThreadReply } from '../../../rescheduler/tokens/protocol.ts';

const order = (...grants: number[]): ThreadSchedule => ({ grants, expected: null });

test('the same order is run once, another one for itself, and one that came to no end again', async () => {
  const asked: (readonly number[])[] = [];
  const outcomes = ['pass', 'fail', 'unknown', 'pass', 'pass'];
  const run = onceEach(async ({ grants }) => {
    asked.push(grants);
    return { ran: { outcome: outcomes[asked.length - 1] } } as ThreadReply;
  });
  const outcome = async (schedule: ThreadSchedule) => (await run(schedule)).ran.outcome;
  assert.deepEqual([await outcome(order(0, 1)), await outcome(order(0, 1))], ['pass', 'pass']);
  assert.deepEqual([await outcome(order(0, 2)), await outcome(order(0, 2))], ['fail', 'fail']);
  assert.deepEqual([await outcome(order(1, 2)), await outcome(order(1, 2))], ['unknown', 'pass']);
  const { events, names } = { events: { op: new Uint8Array(1) }, names: { threads: ['a'] } };
  const expected = { events, names } as unknown as ThreadTrace;
  await run({ ...order(0, 1), expected });
  await run({ ...order(0, 1), expected: structuredClone(expected) });
  assert.deepEqual(asked, [
    [0, 1],
    [0, 2],
    [1, 2],
    [1, 2],
    [0, 1],
  ]);
});
