/** An order that asks again for what did not come is forced behind the others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Schedule } from '../../../data/prediction.ts';
import { deliveryOf, EVERYTHING_ELSE, effectInTurn, effectOf } from '../../../data/schedule-step.ts';
import type { Known, Tried } from '../../../rescheduler/investigate/attempt.ts';
import { unplanned } from '../../../rescheduler/investigate/attempt.ts';
import { Conflicts } from '../../../rescheduler/investigate/conflicts.ts';
import { LoopOrders } from '../../../rescheduler/investigate/loop-orders.ts';

const steps = (order: string): string[] => [...order].map(deliveryOf);
const order = (of: string | readonly string[]): Schedule =>
  unplanned(String(of), typeof of === 'string' ? steps(of) : of);
const stoppedAt = (at: number) => ({ divergence: { at, wanted: '', instead: '' } });

describe('a conflict', () => {
  // Three answers, of which the last one goes on: natural `abcx`, and of `ab` alone `x` does not come.
  const rows: Record<string, [string | readonly string[], number, string | readonly string[], boolean]> = {
    'is met where the same is left out before the same step': ['abxc', 2, 'baxc', true],
    'is met where more is left out': ['abxc', 2, 'axbc', true],
    'is not met where less is': ['axbc', 1, 'abxc', false],
    'is not met where something else is': ['abxc', 2, 'acxb', false],
    'is not met where the step does not come': ['abxc', 2, 'abc', false],
    'is met by an order that never comes to what is left out': ['abxc', 2, 'abx', true],
    'is none where everything came that had come before': ['abcyx', 4, 'abcyx', false],
    'is none of a step that the observed order does not have': ['abq', 2, 'abq', false],
    'is none where others may come in between': [
      [...steps('ab'), EVERYTHING_ELSE, ...steps('xc')],
      3,
      'abxc',
      false,
    ],
    'is met by the effect that comes within a turn': [
      [effectOf('a'), ...steps('bxc')],
      2,
      [effectInTurn(2, 'a'), effectInTurn(1, ''), ...steps('bxc')],
      true,
    ],
  };
  for (const [name, [tried, at, other, isMet]] of Object.entries(rows))
    test(name, () => {
      const natural = typeof tried === 'string' ? steps('abcxy') : [effectOf('a'), ...steps('bcxy')];
      const conflicts = new Conflicts(natural);
      assert.equal(conflicts.isMetBy(order(other)), false);
      conflicts.look(order(tried), stoppedAt(at));
      assert.equal(conflicts.isMetBy(order(other)), isMet);
    });

  test('of two effects of one request is of the one that was left out', () => {
    const conflicts = new Conflicts([effectOf('a'), ...steps('b'), effectOf('a'), ...steps('x')]);
    conflicts.look(order([effectOf('a'), ...steps('bx'), effectOf('a')]), stoppedAt(2));
    assert.equal(conflicts.isMetBy(order([effectOf('a'), ...steps('x')])), true);
    assert.equal(conflicts.isMetBy(order([effectOf('a'), effectOf('a'), ...steps('x')])), false);
  });
});

test('what meets a conflict comes behind the other predicted orders, and is not left out', () => {
  const schedules = ['abxc', 'baxc', 'axbc', 'bacx'].map(order);
  const known = { hasRace: false, left: 0, leftMs: 0 } as unknown as Known;
  const how = { strategy: 'directed', maxSchedules: 100, seed: 1 };
  const orders = new LoopOrders(steps('abcx'), { cutPoints: [], schedules }, how);
  const forced: string[] = [];
  const attempts = orders.attempts(known);
  for (let next = attempts.next(); !next.done; ) {
    const { id } = next.value.schedule;
    if (forced.push(id) === schedules.length) break;
    const { divergence } = id.endsWith('x') ? { divergence: null } : stoppedAt(id.indexOf('x'));
    next = attempts.next({ outcome: 'pass', steps: [], divergence, ungated: {} } as unknown as Tried);
  }
  assert.deepEqual(forced, ['abxc', 'bacx', 'baxc', 'axbc']);
});
