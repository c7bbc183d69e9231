/** What is chosen by chance, and how rarely. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import type { ReadyStep } from '../../../rescheduler/strategies/strategy.ts';
import { QUIET } from './support.ts';

const ready = (name: string, step: Partial<ReadyStep['step']>): ReadyStep =>
  ({ name, step: { kind: 'deliver', id: 1, pause: 0, ...step }, order: 1 }) as ReadyStep;
const answer = ready('D:answer', {});
const timer = (due: number): ReadyStep => ready(`D:timer ${due}`, { kind: 'timer', due });
const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

/** How often the timer comes first, in the runs of all seeds. */
const early = (...steps: readonly ReadyStep[]): number =>
  SEEDS.filter((seed) => new RandomStrategy(seed).choose([answer, ...steps], QUIET) === steps[0]).length;

test('a time-out goes off before what is there in some runs only, a short timer in any', () => {
  assert.ok(early(timer(40)) > 20);
  const some = early(timer(1000));
  assert.ok(some > 0 && some <= 20, `${some}`);
});

test('a run that has been late is so no longer', () => {
  for (const seed of SEEDS.filter((each) => each % 3 !== 1)) {
    const strategy = new RandomStrategy(seed);
    let [now, late] = [0, 0];
    for (let nth = 0; nth < 100; nth++) {
      const next = timer(now + 30);
      if (strategy.choose([answer, next], { ...QUIET, now }) !== next) continue;
      [now, late] = [now + 30, late + 30];
    }
    assert.ok(late <= (seed % 3 === 0 ? 50 : 250), `${seed}: ${late}`);
  }
});

test('where nothing else is there any timer may be next', () => {
  const [near, far] = [timer(5), timer(5000)];
  const chosen = SEEDS.map((seed) => new RandomStrategy(seed).choose([near, far], QUIET));
  assert.ok(chosen.includes(near) && chosen.includes(far));
});
