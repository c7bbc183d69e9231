import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult } from '../../../data/run.ts';
import { ENDLESS_TURN, plainFailure } from '../../../rescheduler/failure.ts';
import { withEndless } from '../../../rescheduler/investigate/endless.ts';
import { withoutAnswer } from '../../../rescheduler/subjects/no-answer.ts';

const late = (steps = 0, more: Partial<RunResult> = {}): RunResult => ({
  ...withoutAnswer('unknown', plainFailure('timeout', 'Timeout', 'no end'), 1),
  steps: Array.from({ length: steps }, () => 'D:x'),
  ...more,
});
const natural = ['E:a', 'D:a'];

test('which runs that were given up never end', () => {
  const rows: [string, RunResult, RunResult['outcome']][] = [
    ['a turn that does not end', late(0, { failure: ENDLESS_TURN }), 'fail'],
    ['thousands of steps where two are usual', late(5000), 'fail'],
    ['few steps: it may have been slow', late(50), 'unknown'],
    ['something that is not controlled was at work', late(5000, { ungated: { Worker: 1 } }), 'unknown'],
    ['something that nobody foresaw', late(5000, { doubts: ['a signal'] }), 'unknown'],
    ['another failure', late(5000, { failure: plainFailure('exception', 'X', 'x') }), 'unknown'],
    ['it passed', late(5000, { outcome: 'pass', failure: null }), 'pass'],
  ];
  for (const [what, result, outcome] of rows)
    assert.equal(withEndless(result, natural).outcome, outcome, what);
});

test('what never ends is one defect, however it was seen', () => {
  const [turn, round] = [late(0, { failure: ENDLESS_TURN }), late(5000)].map((r) => withEndless(r, natural));
  assert.equal(turn?.failure?.fingerprint, round?.failure?.fingerprint);
});
