import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { excusedTests } from '../../cli/baseline.ts';
import { exitCodeOf, replayExitCode } from '../../cli/exit-code.ts';
import { countingLists, FAIL_LISTS, FAIL_NAMES, type FailList, type FailSwitch } from '../../data/fail-on.ts';
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
    { beside: [{ processes: ['child 1', 'child 2'], shared: ['fs:n'], blind: true, within: false }] },
    { verdicts: { ...fine.verdicts, unknown: 41 } },
    { verdicts: { ...fine.verdicts, unknown: 1, passed: 9 }, endless: 1 },
    { verdicts: { ...fine.verdicts, passed: 9 }, undecided: 'Error: x' },
  ];
  for (const more of unseen)
    assert.equal(exitCodeOf(report([fine, testOf('b', more)])), 3, JSON.stringify(more));
  assert.equal(exitCodeOf(report([])), 3, 'a report without tests is no clean bill');
});

test('0: analysed and nothing found; no concurrency; nothing shared', () => {
  assert.equal(exitCodeOf(report([fine])), 0);
  assert.equal(exitCodeOf(report([testOf('b', { coverage: 'no-concurrency' })])), 0);
  assert.equal(exitCodeOf(report([testOf('b', { sharedEntities: 0 })])), 0);
  const beside = [{ processes: ['child 1', 'child 2'], shared: [], blind: false, within: false }];
  assert.equal(exitCodeOf(report([testOf('b', { beside })])), 0);
});

test('3: all that is tested runs in other processes', () => {
  const beside = [{ processes: ['cli.js'], shared: [], blind: false, within: true }];
  const [one, other] = [testOf('b', { beside }), testOf('c', { beside })];
  assert.equal(exitCodeOf(report([one, other])), 3);
  assert.equal(exitCodeOf(report([one, fine])), 0, 'something was judged');
  assert.equal(exitCodeOf(report([one]), { excused: new Set([one.id]) }), 0);
  const forced = testOf('b', { beside, verdicts: { ...fine.verdicts, passed: 2 } });
  assert.equal(exitCodeOf(report([forced])), 0);
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
    exitCodeOf(report([testOf('b', { analysis: 'none', ...more })]), { ended: isOver });
  assert.equal(ended({}), 3);
  assert.equal(ended({}, false), 0, 'a stage alone');
  assert.equal(ended({ peers: ['db:5432'] }), 0, 'it was not to be forced');
  assert.equal(ended({ coverage: 'no-concurrency', analysis: 'complete' }), 0);
});

test('conditional, known and ignored bugs do not count', () => {
  assert.equal(exitCodeOf(report([fine], [{ ...bug, conditional: 'needs 4 s' }])), 0);
  for (const reason of ['known', 'ignored'] as const)
    assert.equal(exitCodeOf(report([fine], [bug]), { hidden: new Map([[bug.id, reason]]) }), 0);
  const other = { ...bug, id: 'other' };
  assert.equal(exitCodeOf(report([fine], [bug, other]), { hidden: new Map([[bug.id, 'known']]) }), 1);
});

test('a test that fails here and passes on plain Node: 3, unless it is known', () => {
  const apart = testOf('b', {
    ...{ baseline: 'red', coverage: null },
    plain: { outcome: 'pass', cause: 'it waits for a peer in another process' },
  });
  assert.equal(exitCodeOf(report([fine, apart])), 3);
  const known = excusedTests(report([fine, apart]), new Set(['b']));
  assert.equal(exitCodeOf(report([fine, apart]), { excused: known }), 0);
  const red = report([fine, testOf('b', { baseline: 'red', coverage: null })]);
  const both = excusedTests(red, new Set(['b']));
  assert.equal(exitCodeOf(red, { excused: both }), 3, 'it fails there, too');
});

const timing = { ...bug, class: 'timing' as const };
const peers = testOf('b', { peers: ['db:5432'] });
/** A report with nothing but one member of a list. */
const MEMBERS: Readonly<Record<FailList, Report>> = {
  race: report([fine], [bug]),
  timing: report([fine], [timing]),
  conditional: report([fine], [{ ...bug, conditional: 'needs 4 s' }]),
  red: report([testOf('b', { baseline: 'red', coverage: null })]),
  flaky: report([testOf('b', { baseline: 'flaky', coverage: null })]),
  blind: report([testOf('b', { coverage: 'blind' })]),
  unjudged: report([testOf('b', { baseline: null, coverage: null })]),
  partly: report([testOf('b', { analysis: 'partly', left: 4, verdicts: { ...fine.verdicts, passed: 1 } })]),
  guest: report([peers]),
};

test('each list has a switch of its own, which says nothing of another', () => {
  for (const name of FAIL_NAMES) {
    const { code, byDefault } = FAIL_LISTS[name];
    const of = (...switches: FailSwitch[]) =>
      exitCodeOf(MEMBERS[name], { counting: countingLists(switches) });
    const others = FAIL_NAMES.filter((other) => other !== name);
    assert.equal(of(), byDefault ? code : 0, name);
    assert.equal(of(name), code, name);
    assert.equal(of(`no-${name}`), 0, `no-${name}`);
    assert.equal(of(`no-${name}`, name), code, `the later of two words on ${name}`);
    assert.equal(of(name, ...others.map((other) => `no-${other}` as const)), code, `${name} alone`);
    assert.equal(of(`no-${name}`, ...others), 0, `all but ${name}`);
  }
});

test('the document has a row for each list, with its exit code and whether it counts', () => {
  const text = readFileSync(new URL('../../docs/reports.md', import.meta.url), 'utf8');
  const rows = Array.from(
    text.matchAll(/^\| `([a-z]+)` \|.*\| ([13]) \| (yes|no) \|$/gm),
    ([, ...row]) => row,
  );
  assert.deepEqual(
    rows,
    FAIL_NAMES.map((name) => [name, `${FAIL_LISTS[name].code}`, FAIL_LISTS[name].byDefault ? 'yes' : 'no']),
  );
});

test('what is known does not count, whatever is switched on', () => {
  const counting = countingLists(['timing']);
  assert.equal(exitCodeOf(MEMBERS.timing, { counting, hidden: new Map([[timing.id, 'known']]) }), 0);
});

test('replay: 1 there, 0 gone, 3 cannot tell', () => {
  const view = (outcome: 'failed' | 'passed' | 'infeasible' | 'diverged') =>
    replayExitCode({ id: 'b', witness: null, bug: null, runs: [{ outcome, detail: null }] });
  assert.deepEqual([view('failed'), view('passed'), view('infeasible'), view('diverged')], [1, 0, 0, 3]);
});
