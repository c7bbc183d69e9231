/** Whoever adds a strategy adds it to one list: it can be asked for by its name, and runs under it. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import type { RunResult } from '../../../data/run.ts';
import { type Known, unplanned } from '../../../rescheduler/investigate/attempt.ts';
import { LoopOrders } from '../../../rescheduler/investigate/loop-orders.ts';
import { createStrategy } from '../../../rescheduler/strategies/create.ts';
import { SEARCHES, SEEDED, type SeededStrategy } from '../../../rescheduler/strategies/list.ts';
import { gated } from '../gate/support.ts';

/** The last of all that could come next; every other run the first. */
const toy: SeededStrategy = {
  name: 'toy',
  about: 'the last one',
  create: ({ seed }) => ({ choose: (enabled) => enabled.at(seed % 2 === 0 ? 0 : -1)! }),
};

const known = (): Known => ({
  failures: 0,
  hasRace: false,
  refutations: 0,
  left: 2,
  leftMs: 1000,
  novelty: { begin: () => {}, isOver: () => false } as unknown as Known['novelty'],
  asideMs: 0,
  orders: null,
  bounded: null,
});

test('a strategy from elsewhere chooses orders', async () => {
  const how = { strategy: 'toy', strategies: [...SEEDED, toy], maxSchedules: 2, seed: 1 };
  const orders = new LoopOrders(['E:a', 'D:a'], { cutPoints: [], schedules: [unplanned('p1')] }, how);
  const seen: (readonly string[])[] = [];
  const attempts = orders.attempts(known());
  let next = attempts.next();
  while (!next.done) {
    const { spec, origin, schedule } = next.value;
    assert.equal(origin, 'random');
    const strategy = createStrategy(spec, undefined, [toy]);
    const { steps } = await gated(() => Promise.all([stat('/'), stat('.')]), { strategy });
    seen.push([schedule.id, ...steps]);
    next = attempts.next({ breadth: 0 } as RunResult);
  }
  const [[first, ...last] = [], [second, ...natural] = [], ...more] = seen;
  assert.deepEqual([first, second, more], ['toy-1', 'toy-2', []]);
  assert.deepEqual([...last].sort(), [...natural].sort());
  assert.notDeepEqual(last, natural);
});

test('what is not there is told', () => {
  assert.throws(() => createStrategy({ kind: 'random', by: 'toy', seed: 1 }), /there is no strategy toy/);
});

test('strategies are told apart by their names', () => {
  assert.equal(new Set(SEARCHES).size, SEARCHES.length);
});
