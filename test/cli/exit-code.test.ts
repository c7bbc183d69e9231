import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exitCodeOf, replayExitCode } from '../../cli/exit-code.ts';
import type { Report, ReportBug, ReportTest } from '../../data/report.ts';
import { bankCut, bugOf, testOf } from '../report/samples.ts';

const report = (tests: ReportTest[], bugs: ReportBug[] = []): Report => ({
  version: 1,
  tests,
  bugs,
  timing: { monitorMs: 0, predictMs: 0, rescheduleMs: 0 },
});
const bug = bugOf(bankCut('RWW'));
const fine = testOf('a');

test('1: a confirmed bug or deadlock, whatever else happened', () => {
  assert.equal(exitCodeOf(report([fine], [bug])), 1);
  assert.equal(exitCodeOf(report([fine], [bugOf(null, { kind: 'deadlock' })])), 1);
  assert.equal(exitCodeOf(report([testOf('b', { baseline: 'red', coverage: null })], [bug])), 1);
});

test('3: something could not be analysed', () => {
  const unseen: Partial<ReportTest>[] = [
    { baseline: 'red', coverage: null },
    { baseline: 'flaky', coverage: null },
    { baseline: null, coverage: null },
    { coverage: 'blind' },
    { verdicts: { ...fine.verdicts, unknown: 41 } },
    { verdicts: { ...fine.verdicts, unknown: 1, passed: 9 }, endless: 1 },
  ];
  for (const more of unseen)
    assert.equal(exitCodeOf(report([fine, testOf('b', more)])), 3, JSON.stringify(more));
  assert.equal(exitCodeOf(report([])), 3, 'a report without tests is no clean bill');
});

test('0: analysed and nothing found; no concurrency; nothing shared', () => {
  assert.equal(exitCodeOf(report([fine])), 0);
  assert.equal(exitCodeOf(report([testOf('b', { coverage: 'no-concurrency' })])), 0);
  assert.equal(exitCodeOf(report([testOf('b', { sharedEntities: 0 })])), 0);
});

test('0: some forced runs without a verdict beside others that passed', () => {
  const verdicts = { ...fine.verdicts, unknown: 1, passed: 3 };
  assert.equal(exitCodeOf(report([testOf('b', { verdicts })])), 0);
});

test('3: nothing was judged before a budget ended', () => {
  const untried = testOf('b', { analysis: 'partly', left: 4 });
  assert.equal(exitCodeOf(report([fine, untried])), 3);
  const judged = testOf('b', { analysis: 'partly', left: 4, verdicts: { ...fine.verdicts, passed: 1 } });
  assert.equal(exitCodeOf(report([fine, judged])), 0);
  const ended = (more: Partial<ReportTest>, isOver = true) =>
    exitCodeOf(report([testOf('b', { analysis: 'none', ...more })]), undefined, [], undefined, isOver);
  assert.equal(ended({}), 3);
  assert.equal(ended({}, false), 0, 'a stage alone');
  assert.equal(ended({ peers: ['db:5432'] }), 0, 'it was not to be forced');
  assert.equal(ended({ coverage: 'no-concurrency', analysis: 'complete' }), 0);
});

test('conditional, known and ignored bugs do not count', () => {
  assert.equal(exitCodeOf(report([fine], [{ ...bug, conditional: 'needs 4 s' }])), 0);
  for (const reason of ['known', 'ignored'] as const)
    assert.equal(exitCodeOf(report([fine], [bug]), new Map([[bug.id, reason]])), 0);
  const other = { ...bug, id: 'other' };
  assert.equal(exitCodeOf(report([fine], [bug, other]), new Map([[bug.id, 'known']])), 1);
});

test('a test that fails here and passes on plain Node: 3, unless it is known', () => {
  const apart = testOf('b', {
    ...{ baseline: 'red', coverage: null },
    plain: { outcome: 'pass', cause: 'it waits for a peer in another process' },
  });
  assert.equal(exitCodeOf(report([fine, apart])), 3);
  assert.equal(exitCodeOf(report([fine, apart]), undefined, [], new Set(['b'])), 0);
  const red = testOf('b', { baseline: 'red', coverage: null });
  assert.equal(exitCodeOf(report([fine, red]), undefined, [], new Set(['b'])), 3, 'it fails there, too');
});

test('timing-dependent tests count where that is wanted', () => {
  const timing = { ...bug, class: 'timing' as const };
  assert.equal(exitCodeOf(report([fine], [timing])), 0);
  assert.equal(exitCodeOf(report([fine], [timing]), undefined, ['timing']), 1);
  assert.equal(exitCodeOf(report([fine], [timing]), new Map([[bug.id, 'known']]), ['timing']), 0);
});

test('replay: 1 there, 0 gone, 3 cannot tell', () => {
  const view = (outcome: 'failed' | 'passed' | 'infeasible' | 'diverged') =>
    replayExitCode({ id: 'b', witness: null, bug: null, runs: [{ outcome, detail: null }] });
  assert.deepEqual([view('failed'), view('passed'), view('infeasible'), view('diverged')], [1, 0, 0, 3]);
});
