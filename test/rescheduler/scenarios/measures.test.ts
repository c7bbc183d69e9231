/** A number that is another one each time in one order is compared in none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CanonicalOutcome, SerialOutcome } from '../../../data/scenario.ts';
import { judge } from '../../../rescheduler/scenarios/judge.ts';
import { ALL_ORACLE_RULES } from '../../../rescheduler/scenarios/rules.ts';

const outcome = (tookMs: number, then: string): CanonicalOutcome => ({
  results: [{ value: { tookMs } }, { value: true }],
  then,
});
const serial: SerialOutcome[] = [
  { order: [0, 1], rests: [], samples: [outcome(0, 'a'), outcome(1, 'a')] },
  // By chance the same each time.
  { order: [1, 0], rests: [], samples: [outcome(0, 'b')] },
];
const run = { outcome: outcome(7, 'b'), refused: [], began: [0, 1], ended: [2, 3] };
const calls = [0, 1].map(() => ({ operation: 'save', args: [] }));
const spec = { operations: { save: { run: () => {} } } };

test('how long a call took', () => {
  assert.equal(judge(run, serial, spec, calls), null);
  assert.notEqual(judge(run, serial, spec, calls, { ...ALL_ORACLE_RULES, masks: false }), null);
});

test('all else is compared', () => {
  assert.notEqual(judge({ ...run, outcome: outcome(7, 'c') }, serial, spec, calls), null);
});
