import assert from 'node:assert/strict';
import { test } from 'node:test';
import { byWeight, likelihoodOf, needOf } from '../../report/likelihood.ts';
import { bankCut, bugOf } from './samples.ts';

test('how likely: from what has to be late at least', () => {
  const said = [0, 4.9, 5, 49, 50, 499, 500, 5000].map(likelihoodOf);
  assert.deepEqual(said, [
    ...['any run', 'any run', 'a moment of load', 'a moment of load'],
    ...['a busy machine', 'a busy machine', 'an incident', 'an incident'],
  ]);
  assert.equal(needOf({ requiredStallMs: 3, requiredPauseMs: 80 }), 80);
});

test('races that need little come first, timing-dependent tests behind all races, what is conditional last', () => {
  const bug = (id: string, more: Parameters<typeof bugOf>[1]) => bugOf(bankCut('RWW'), { id, ...more });
  const bugs = [
    bug('conditional', { conditional: 'rests on something' }),
    bug('sleep', { class: 'timing' }),
    bug('network', { network: true }),
    bug('rare', { requiredStallMs: 800 }),
    bug('often', { requiredStallMs: 20 }),
  ];
  assert.deepEqual(
    bugs.sort(byWeight).map(({ id }) => id),
    ['often', 'rare', 'network', 'sleep', 'conditional'],
  );
});
