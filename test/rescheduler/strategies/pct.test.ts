/** Priorities keep whole activities back: one file for event loops and for threads. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { PctPlan } from '../../../data/run.ts';
import { PCT_WORDS, Pct, PctStrategy, pctPlan } from '../../../rescheduler/strategies/pct.ts';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { ReadyStep } from '../../../rescheduler/strategies/strategy.ts';

const LENGTH = 12;
const SEEDS = Array.from({ length: 200 }, (_, seed) => seed);

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

/** Activities that take so many steps each, whoever is chosen for as long as it may: their order. */
function orderOf(pct: Pct, activities: number, steps: number): string {
  const left = new Array<number>(activities).fill(steps);
  let order = '';
  for (;;) {
    const able = [...left.keys()].filter((each) => left[each]! > 0);
    if (able.length === 0) return order;
    const chosen = pct.choose(able);
    const taken = Math.min(left[chosen]!, pct.untilNext);
    left[chosen]! -= taken;
    order += String(chosen).repeat(taken);
    pct.took(taken, chosen);
  }
}

const switchesIn = (order: string): number =>
  [...order].filter((each, at) => at > 0 && each !== order[at - 1]).length;

describe('of an event loop', () => {
  const found = (make: (seed: number) => RandomStrategy): number =>
    SEEDS.filter((seed) => overtakes(make(seed))).length;

  test('an activity that is overtaken by a whole other one is met often, and hardly ever by even choice', () => {
    const even = found((seed) => new RandomStrategy(seed));
    const byPriority = found((seed) => new PctStrategy(pctPlan(seed, 2 * LENGTH)));
    assert.ok(byPriority > 0 && byPriority > 5 * even, `${byPriority} by priorities, ${even} by even choice`);
  });

  test('a fall may come behind steps that were no choice', () => {
    const alone = { name: 'D:a', step: { pause: 0 } } as unknown as ReadyStep;
    const other = { name: 'D:b', step: { pause: 0 } } as unknown as ReadyStep;
    const overtaken = SEEDS.filter((seed) => {
      const before = new PctStrategy({ seed, depth: 2, length: 1 });
      before.choose([alone]);
      // It has fallen behind by its only step.
      return before.choose([alone, other]) === other;
    });
    assert.equal(overtaken.length, SEEDS.length);
  });

  test('the same plan chooses the same', () => {
    const outcomes = () => SEEDS.map((seed) => overtakes(new PctStrategy(pctPlan(seed, 2 * LENGTH))));
    assert.deepEqual(outcomes(), outcomes());
  });
});

describe('of threads', () => {
  const begun = (plan: PctPlan) => new Pct(new Int32Array(PCT_WORDS)).begin(plan);

  test('without a point nobody is preempted, and each activity comes first now and then', () => {
    const orders = SEEDS.map((seed) => orderOf(begun({ seed, depth: 1, length: 36 }), 3, LENGTH));
    for (const order of orders) assert.equal(switchesIn(order), 2, order);
    assert.deepEqual(new Set(orders.map((order) => order[0])), new Set(['0', '1', '2']));
  });

  test('each point is a preemption at most, and somewhere within the length', () => {
    for (const seed of SEEDS) {
      const order = orderOf(begun({ seed, depth: 3, length: 36 }), 3, LENGTH);
      assert.ok(switchesIn(order) <= 4, order);
    }
    const places = new Set(
      SEEDS.map(
        (seed) => /^(.)\1*/.exec(orderOf(begun({ seed, depth: 2, length: 24 }), 2, LENGTH))![0].length,
      ),
    );
    assert.equal(places.size, LENGTH);
  });

  test('a bug of depth two shows as often as the theorem says', () => {
    // Thread 1 as a whole falls behind the fifth step of thread 0.
    const wanted = `${'0'.repeat(5)}${'1'.repeat(LENGTH)}${'0'.repeat(LENGTH - 5)}`;
    const seeds = Array.from({ length: 4000 }, (_, seed) => seed);
    const shown = seeds.filter(
      (seed) => orderOf(begun({ seed, depth: 2, length: 2 * LENGTH }), 2, LENGTH) === wanted,
    );
    const least = seeds.length / (2 * 2 * LENGTH);
    assert.ok(shown.length > 0.8 * least, `${shown.length} of ${seeds.length}, not ${least}`);
  });

  test('threads that share the words choose as one would', () => {
    const words = new Int32Array(new SharedArrayBuffer(4 * PCT_WORDS));
    const plan = pctPlan(7, 24);
    new Pct(words).begin(plan);
    const shared = { choose: (able: number[]) => new Pct(words).choose(able) };
    const alone = begun(plan);
    for (let step = 0; step < 24; step++) {
      const [a, b] = [shared.choose([0, 1]), alone.choose([0, 1])];
      assert.equal(a, b);
      new Pct(words).took(1, a);
      alone.took(1, b);
    }
  });
});
