import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ReplayOutcome, renderReplay, replayState } from '../../report/replay.ts';
import { makeStyle } from '../../report/style.ts';
import { CWD, lostUpdate, read } from './samples.ts';

const context = { style: makeStyle(false), read, cwd: CWD };
const view = (...outcomes: ReplayOutcome[]) => ({
  id: 'b1',
  witness: null,
  bug: lostUpdate,
  runs: outcomes.map((outcome) => ({
    outcome,
    detail: outcome === 'diverged' ? 'at step 3: wanted D:x, came D:y' : null,
  })),
});

test('there, gone, or unclear', () => {
  assert.equal(replayState(view('passed', 'failed')), 'there');
  assert.equal(replayState(view('diverged', 'deadlock')), 'there');
  assert.equal(replayState(view('passed', 'infeasible')), 'gone');
  for (const outcome of ['diverged', 'unanchored', 'unknown'] as const)
    assert.equal(replayState(view('passed', outcome)), 'unclear');
  assert.equal(replayState(view()), 'unclear');
});

test('a bug that is there is shown in full; a divergence says where and what came instead', () => {
  assert.match(
    renderReplay(view('failed'), context),
    /^b1: the bug is there\n {2}1 of 1 run failed .*\n\n✗ lost update/s,
  );
  assert.equal(
    renderReplay(view('diverged', 'diverged', 'passed'), context),
    `b1: cannot tell
  2 of 3 runs left this order: the program took another way
    at step 3: wanted D:x, came D:y
  1 of 3 runs followed the order and passed
`,
  );
});
