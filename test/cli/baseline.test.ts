/** Entries of a baseline: who owns them, until when they hold, and when they may go. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { expiredLines, pruneBaseline, readBaseline, writeBaseline } from '../../cli/baseline.ts';
import type { Report, ReportTest } from '../../data/report.ts';
import { bankCut, bugOf, testOf } from '../report/samples.ts';
import { answering, emptyFolder, run } from './io.ts';

const bug = bugOf(bankCut('RWW'));
const complete: ReportTest = { ...testOf('t1'), analysis: 'complete' };
const reportOf = (ids: readonly string[], tests: ReportTest[] = [complete]): Report => ({
  version: 1,
  tests,
  bugs: ids.map((id) => ({ ...bug, id, test: 't1' })),
  timing: { monitorMs: 0, predictMs: 0, rescheduleMs: 0 },
});

const TITLE = 'test/t1.test.ts › case';
const people = { owner: 'team-a', reason: 'mended in 2.0', expires: '2027-01-31' };

function baselineFile(bugs: readonly unknown[], tests: readonly unknown[] = []): string {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, 'known.json'), JSON.stringify({ version: 1, tests, bugs }));
  return cwd;
}
const idsIn = (cwd: string): string[] =>
  JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8')).bugs.map((entry: { id: string }) => entry.id);

test('an entry holds until its day is over, and then says whose it was', async () => {
  const cwd = baselineFile([{ id: 'b1', ...people }, { id: 'b2' }], [{ id: 't9', expires: '2027-01-31' }]);
  const before = await readBaseline('known.json', cwd, '2027-01-31');
  assert.deepEqual([...before.known], ['b1', 'b2', 't9']);
  assert.deepEqual(expiredLines(before, reportOf(['b1'])), []);
  const after = await readBaseline('known.json', cwd, '2027-02-01');
  assert.deepEqual([...after.known], ['b2']);
  assert.deepEqual(expiredLines(after, reportOf(['b1'])), [
    'b1 is in the baseline until 2027-01-31 and counts again (owner: team-a; mended in 2.0)',
  ]);
  assert.deepEqual(expiredLines(after, reportOf([])), []);
});

test('a date that is none is refused, with its place', async () => {
  const cwd = baselineFile([{ id: 'b1', expires: 'next week' }]);
  await assert.rejects(readBaseline('known.json', cwd), {
    message: /known\.json: not a baseline file \(bugs\.0\.expires: expected a date such as 2027-01-31\)/,
  });
});

test('what people wrote into a baseline stays when it is written again', async () => {
  const cwd = baselineFile([{ id: 'b1', ...people, ticket: 7 }]);
  await writeBaseline(reportOf(['b1', 'b2']), 'known.json', cwd);
  const { bugs } = JSON.parse(readFileSync(join(cwd, 'known.json'), 'utf8'));
  const { owner, reason, expires, ticket, entity } = bugs[0];
  assert.deepEqual({ owner, reason, expires }, people);
  assert.equal(ticket, 7);
  assert.equal(entity, bug.entity);
  assert.equal(bugs[1].owner, undefined);
});

test('pruning takes out what a test that was analysed to its end shows no more', async () => {
  const cwd = baselineFile([
    { id: 'b1', test: TITLE },
    { id: 'b2', test: TITLE, ...people },
  ]);
  const baseline = await readBaseline('known.json', cwd);
  const pruned = await pruneBaseline(baseline, reportOf(['b2']), 'known.json', cwd);
  assert.deepEqual(pruned, { removed: ['b1'], undecided: [] });
  assert.deepEqual(idsIn(cwd), ['b2']);
});

test('what a run did not analyse to its end stays', async () => {
  const { verdicts } = complete;
  const others: ReportTest[] = [
    { ...complete, analysis: 'partly' },
    { ...complete, analysis: 'none', baseline: 'red' },
    { ...complete, coverage: 'blind' },
    { ...complete, endless: 1 },
    { ...complete, verdicts: { ...verdicts, unknown: 1 } },
  ];
  for (const other of others) {
    const cwd = baselineFile([{ id: 'b1', test: TITLE }]);
    const baseline = await readBaseline('known.json', cwd);
    const pruned = await pruneBaseline(baseline, reportOf([], [other]), 'known.json', cwd);
    assert.deepEqual(pruned, { removed: [], undecided: ['b1'] });
    assert.deepEqual(idsIn(cwd), ['b1']);
  }
});

test('of tests that were not run only those whose file is gone are taken out', async () => {
  const cwd = baselineFile([
    { id: 'b1', test: 'here.test.ts › x' },
    { id: 'b2', test: 'gone.test.ts › x' },
    { id: 'b3' },
  ]);
  writeFileSync(join(cwd, 'here.test.ts'), '');
  const baseline = await readBaseline('known.json', cwd);
  const pruned = await pruneBaseline(baseline, reportOf([]), 'known.json', cwd);
  assert.deepEqual(pruned, { removed: ['b2'], undecided: ['b1', 'b3'] });
});

test('--prune-baseline says what it took out, and needs a baseline', async () => {
  const cwd = baselineFile([{ id: 'b1', test: TITLE }, { id: 'b3' }]);
  const found = answering({ report: reportOf([]), views: { bugs: [], tests: {} }, exitCode: 0 });
  const { out, code } = await run(['run', '--baseline', 'known.json', '--prune-baseline', 'h.ts'], found, {
    cwd,
  });
  assert.equal(code, 0);
  assert.match(
    out,
    /known\.json: taken out: b1; kept, as this run did not analyse their tests to the end: b3\n$/,
  );
  const without = await run(['run', '--prune-baseline', 'h.ts'], found);
  assert.equal(without.code, 2);
  assert.match(without.err, /^unweave: --prune-baseline needs --baseline <file>[^\n]*\n$/);
});

test('--report-only: exit code 0, and the report says which it would be', async () => {
  const answer = answering({ report: reportOf(['b1']), views: { bugs: [], tests: {} }, exitCode: 1 });
  const { out, code } = await run(['run', '--report-only', 'h.ts'], answer);
  assert.equal(code, 0);
  assert.match(out, /\nreport only: the exit code is 0 instead of 1\n$/);
  const quiet = await run(['run', '--report-only', '--json', '-', 'h.ts'], answer);
  assert.equal(quiet.err, 'unweave: report only: the exit code is 0 instead of 1\n');
});

test('an expired entry counts for the exit code', async () => {
  const cwd = baselineFile([{ id: 'b1', expires: '2020-01-01' }]);
  const answer = answering({ report: reportOf(['b1']), views: { bugs: [], tests: {} }, exitCode: 1 });
  const { out, code } = await run(['run', '--baseline', 'known.json', 'h.ts'], answer, { cwd });
  assert.equal(code, 1);
  assert.match(out, /b1 is in the baseline until 2020-01-01 and counts again\n/);
});
