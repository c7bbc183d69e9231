/** Random orders by activities hold one answer back while another activity goes through a dozen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LaneStrategy } from '../../../rescheduler/strategies/lanes.ts';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { ReadyStep } from '../../../rescheduler/strategies/strategy.ts';

const LENGTH = 12;

/** Two activities of a test, each a chain of answers: true when the second one overtakes the first as a whole. */
function overtakes(strategy: RandomStrategy): boolean {
  const done = [0, 0];
  let order = '';
  while (done.some((steps) => steps < LENGTH)) {
    const ready = [0, 1]
      .filter((task) => done[task]! < LENGTH)
      .map((task) => ({ name: `D:root.task#${task}|fs.read#${done[task]}`, step: { pause: 0 } }));
    const chosen = strategy.choose(ready as unknown as ReadyStep[]) as ReadyStep;
    const task = Number(/task#(\d)/.exec(chosen.name)?.[1]);
    done[task] = done[task]! + 1;
    order += task;
  }
  return new RegExp(`^0+1{${LENGTH}}0+$`).test(order);
}

const found = (make: (seed: number) => RandomStrategy): number =>
  Array.from({ length: 200 }, (_, seed) => overtakes(make(seed))).filter(Boolean).length;

test('an activity that is overtaken by a whole other one is met often, and hardly ever by even choice', () => {
  const even = found((seed) => new RandomStrategy(seed));
  const lanes = found((seed) => new LaneStrategy(seed));
  assert.ok(lanes > 0 && lanes > 5 * even, `${lanes} by lanes, ${even} by even choice`);
});

test('the same seed chooses the same', () => {
  const outcomes = (): boolean[] =>
    Array.from({ length: 50 }, (_, seed) => overtakes(new LaneStrategy(seed)));
  assert.deepEqual(outcomes(), outcomes());
});
