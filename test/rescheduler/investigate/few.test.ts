/** Few orders are all executed, unless that takes too long: each run may start a process. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Known, Tried } from '../../../rescheduler/investigate/attempt.ts';
import { LoopOrders } from '../../../rescheduler/investigate/loop-orders.ts';

/** Five choices of two steps. */
const CHOICES = Array.from({ length: 5 }, (_, nth) => [`a${nth}`, `b${nth}`]);
const ORDERS = 2 ** CHOICES.length;

/** How many of the orders are enumerated where each run takes so many ms; the clock is told, not looked at. */
function enumerated(msPerRun: number, isDeep = false): number {
  let ran = 0;
  const known = {
    ...{ failures: 0, hasRace: false, refutations: 0, left: 1000, leftMs: 1e6, bounded: null, orders: null },
    novelty: { begin: () => {}, isOver: () => true, orders: 0 },
    get asideMs() {
      return -ran * msPerRun;
    },
  } as unknown as Known;
  const how = { strategy: 'directed', maxSchedules: 1000, seed: 1, expected: ORDERS, isDeep };
  const orders = new LoopOrders([], { cutPoints: [], schedules: [] }, how);
  const attempts = orders.attempts(known);
  for (let next = attempts.next(); !next.done && next.value.origin === 'enumerated'; ) {
    const { spec } = next.value;
    const prefix = spec.kind === 'prefix' ? spec.prefix : [];
    const steps = [...prefix, ...CHOICES.slice(prefix.length).map(([first]) => first)];
    ran += 1;
    next = attempts.next({ outcome: 'pass', steps, choices: CHOICES, ungated: {} } as unknown as Tried);
  }
  return ran;
}

test('all of them where runs are quick, and few where each takes a second', () => {
  assert.equal(enumerated(10), ORDERS);
  assert.equal(enumerated(1000), 5);
});

test('a deep search executes them all', () => {
  assert.equal(enumerated(1000, true), ORDERS);
});
