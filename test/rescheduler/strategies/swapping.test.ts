import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { isDelivery, requestOf } from '../../../data/schedule-step.ts';
import { createStrategy } from '../../../rescheduler/strategies/create.ts';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { Strategy } from '../../../rescheduler/strategies/strategy.ts';
import { gated } from '../gate/support.ts';

/** One answer, and beside it ten, one behind the other. */
async function program(): Promise<void> {
  const alone = stat('/');
  for (let nth = 0; nth < 10; nth++) await stat('.');
  await alone;
}

/** The requests in the order of their answers. */
const answers = async (strategy?: Strategy): Promise<string[]> => {
  const { steps } = await gated(program, strategy ? { strategy } : {});
  return steps.filter(isDelivery).map(requestOf);
};

test('who is named waits until the other one was answered', async () => {
  const natural = await answers();
  const [alone] = natural;
  const last = natural.at(-1)!;
  const by = (swaps: readonly (readonly [string, string])[]) =>
    answers(createStrategy({ kind: 'swapping', swaps, seed: 1 }));
  assert.deepEqual(await by([[last, alone!]]), [...natural.slice(1), alone]);
  // Each two of them, of which no more than that is possible.
  const all = natural.flatMap((first, at) => natural.slice(0, at).map((second) => [first, second] as const));
  assert.deepEqual(await by(all), [...natural.slice(1), alone]);
  // Where none is named as much as can be changes places.
  assert.deepEqual(await by([]), [...natural.slice(1), alone]);
});

test('where each step by chance is as likely, that takes many runs', async () => {
  const [alone] = await answers();
  for (let seed = 1; seed <= 20; seed++) {
    const order = await answers(new RandomStrategy(seed));
    assert.notEqual(order.at(-1), alone);
  }
});
