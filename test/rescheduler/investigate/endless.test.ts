import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult } from '../../../data/run.ts';
import { ENDLESS_TURN, plainFailure } from '../../../rescheduler/failure.ts';
import { withEndless } from '../../../rescheduler/investigate/endless.ts';
import { withoutAnswer } from '../../../rescheduler/subjects/no-answer.ts';

const given = (more: Partial<RunResult> = {}): RunResult => ({
  ...withoutAnswer('unknown', plainFailure('timeout', 'Timeout', 'no end'), 1),
  ...more,
});
const rounds = Array.from({ length: 5000 }, () => 'D:x');

test('which runs that were given up never end', () => {
  const rows: [string, RunResult, RunResult['outcome']][] = [
    ['a turn that does not end', given({ failure: ENDLESS_TURN }), 'fail'],
    ['rounds: the clock of the run may stand', given({ steps: rounds }), 'unknown'],
    ['few steps: it may have been slow', given(), 'unknown'],
    ['something that nobody foresaw', given({ failure: ENDLESS_TURN, doubts: ['a signal'] }), 'unknown'],
    ['another failure', given({ failure: plainFailure('exception', 'X', 'x') }), 'unknown'],
    ['it passed', given({ outcome: 'pass', failure: null }), 'pass'],
  ];
  for (const [what, result, outcome] of rows) assert.equal(withEndless(result).outcome, outcome, what);
});
