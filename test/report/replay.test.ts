import assert from 'node:assert/strict';
import { test } from 'node:test';
import { appliesLine, type ReplayOutcome, renderReplay, replayState } from '../../report/replay.ts';
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
  assert.equal(replayState({ ...view('failed'), naturally: 'TypeError' }), 'unclear');
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

test('of sources that were edited since it says whether the order still applies', () => {
  const edited = (followed: boolean, outcome: ReplayOutcome, files = ['src/bank.ts']) =>
    appliesLine({ ...view(), edited: files, runs: [{ outcome, detail: null, followed }] });
  assert.match(edited(true, 'failed'), /^src\/bank\.ts changed since the recording: the order still applies/);
  assert.match(edited(true, 'passed'), /the order still applies/);
  assert.match(edited(false, 'infeasible'), /can no longer come like this/);
  assert.match(edited(false, 'diverged'), /cannot be told, .*; record it anew/);
  assert.match(edited(false, 'failed'), /cannot be told/, 'it failed before the end of the order');
  assert.equal(edited(false, 'diverged', []), '');
});
