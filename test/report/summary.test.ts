import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportTest } from '../../data/report.ts';
import { makeStyle } from '../../report/style.ts';
import { orderLines, renderSummary, silenceLines, stateOf, verdictCounts } from '../../report/summary.ts';
import { everyState, everyStateViews, testOf } from './samples.ts';

const verdicts = { ...testOf('x').verdicts };

test('a test is what is worst about it', () => {
  const found = testOf('x', { verdicts: { ...verdicts, deadlock: 1 }, coverage: 'blind' });
  assert.equal(stateOf(found, {}), 'bug');
  assert.equal(stateOf(testOf('x', { baseline: 'flaky', coverage: null }), {}), 'flaky');
  assert.equal(stateOf(testOf('x', { baseline: null, coverage: null }), {}), 'unjudged');
  assert.equal(stateOf(testOf('x', { coverage: 'blind' }), {}), 'blind');
  assert.equal(stateOf(testOf('x', { coverage: 'no-concurrency' }), {}), 'alone');
  assert.equal(stateOf(testOf('x'), { budget: { left: 1, limit: '60 s' } }), 'unfinished');
  const tried = testOf('x', { verdicts: { ...verdicts, passed: 3 } });
  assert.equal(stateOf(tried, { budget: { left: 0, limit: '60 s' } }), 'silent');
  assert.equal(stateOf(testOf('x', { schedules: 3 }), {}), 'predicted');
  assert.equal(stateOf(testOf('x', { schedules: 0 }), {}), 'recorded');
});

test('verdicts: bugs first, zeros left out', () => {
  const counts = { ...verdicts, passed: 3, confirmed: 1, unknown: 2 };
  assert.equal(verdictCounts(testOf('x', { verdicts: counts })), '1 confirmed · 3 passed · 2 unknown');
});

test('silence names the commonest reasons and counts the others', () => {
  const reasons = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ reason: `both hold L${n}`, count: n }));
  const [line = ''] = silenceLines(testOf('x'), { pairs: 28, left: 0, reasons });
  assert.match(
    line,
    /28 pairs looked at, kept apart because both hold L7 \(7\), .* and other reasons \(3\)$/,
  );
});

test('silence says what could come apart and did not fail, and what nobody looked at', () => {
  const reasons = [{ reason: 'both hold L', count: 5 }];
  const silence = { pairs: 28, left: 20, reasons };
  const [line = ''] = silenceLines(testOf('x', { verdicts: { ...verdicts, passed: 3 } }), silence);
  assert.match(line, /8 pairs looked at, .*both hold L \(5\); no order of the other 3 failed; 20 more/);
  const [planned = ''] = silenceLines(testOf('x'), silence);
  assert.match(planned, /^8 pairs looked at, .*; the other 3 can meet; 20 more/);
});

test('an early end is said in the last line', () => {
  const lines = renderSummary(
    everyState,
    { ...everyStateViews, ended: 'interrupted' },
    new Map(),
    makeStyle(false),
  );
  assert.equal(lines.at(-1), 'stopped early: interrupted');
});

test('how much of all that could happen was executed', () => {
  const lines = (orders: ReportTest['orders']) => orderLines(testOf('x', { schedules: 41, orders }));
  assert.deepEqual(lines(null), []);
  assert.deepEqual(lines({ count: 36, all: true }), ['all 36 feasible orders executed, none fails']);
  assert.deepEqual(lines({ count: 25_870, all: false }), [
    '41 forced runs; there are about 26,000 feasible orders',
  ]);
  assert.deepEqual(lines({ count: 31, all: false }), [
    '41 forced runs, some of them alike; there are about 31 feasible orders',
  ]);
  assert.deepEqual(lines({ count: 2.2e23, all: false }), [
    '41 forced runs; there are about 10^23 feasible orders',
  ]);
});
