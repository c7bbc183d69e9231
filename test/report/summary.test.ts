import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReportTest } from '../../data/report.ts';
import { deeperLines } from '../../report/deeper.ts';
import { entriesOf, verdictCounts } from '../../report/entries.ts';
import { orderLines, silenceLines } from '../../report/silence.ts';
import { makeStyle } from '../../report/style.ts';
import { closing, renderSummary } from '../../report/summary.ts';
import { stateOf, unseenAs } from '../../report/test-state.ts';
import { everyState, everyStateViews, testOf } from './samples.ts';

const verdicts = { ...testOf('x').verdicts };

test('a test is what is worst about it', () => {
  const found = testOf('x', { verdicts: { ...verdicts, deadlock: 1 }, coverage: 'blind' });
  assert.equal(stateOf(found, {}), 'bug');
  assert.equal(stateOf(testOf('x', { baseline: 'flaky', coverage: null }), {}), 'flaky');
  assert.equal(stateOf(testOf('x', { baseline: null, coverage: null }), {}), 'unjudged');
  assert.equal(stateOf(testOf('x', { coverage: 'blind' }), {}), 'blind');
  assert.equal(stateOf(testOf('x', { coverage: 'no-concurrency' }), {}), 'alone');
  const passed = { ...testOf('x').verdicts, passed: 1 };
  assert.equal(stateOf(testOf('x', { analysis: 'partly', verdicts: passed }), {}), 'partly');
  assert.equal(stateOf(testOf('x', { analysis: 'partly' }), {}), 'unjudged', 'no order of it was forced');
  assert.equal(stateOf(testOf('x', { verdicts: { ...verdicts, unknown: 4 } }), {}), 'unclear');
  assert.equal(stateOf(testOf('x', { verdicts: { ...verdicts, unknown: 4, passed: 1 } }), {}), 'silent');
  const hung = { verdicts: { ...verdicts, unknown: 1, passed: 9 }, endless: 1 };
  assert.equal(stateOf(testOf('x', hung), {}), 'unclear');
  const none = { analysis: 'none' } as const;
  assert.equal(stateOf(testOf('x', { ...none, schedules: 3 }), {}), 'predicted');
  assert.equal(stateOf(testOf('x', { ...none, schedules: 0 }), {}), 'recorded');
  assert.equal(stateOf(testOf('x', none), { peers: ['127.0.0.1:5432'] }), 'guest');
  const red = testOf('x', { baseline: 'red', coverage: null });
  assert.equal(stateOf(red, { plain: { outcome: 'pass', cause: 'c' } }), 'apart');
  assert.equal(stateOf(red, { plain: { outcome: 'fail', cause: 'c' } }), 'red');
});

test('what processes did beside each other is told; where both touched one thing the test is blind there', () => {
  const entryOf = (blind: boolean) => {
    const shared = blind ? ['fs:n'] : [];
    const beside = [{ processes: ['child 1 (a)', 'child 2 (b)'], shared, blind, within: false }];
    const tests = [testOf('x', { coverage: 'no-concurrency', beside })];
    return entriesOf({ ...everyState, tests, bugs: [] }, { bugs: [], tests: {} })[0]!;
  };
  const told = (blind: boolean) => [entryOf(blind).state, entryOf(blind).lines];
  const what = 'not judged: what child 1 (a) and child 2 (b) do at the same time';
  assert.deepEqual(told(false), ['partly', [what]]);
  assert.deepEqual(told(true), ['blind', [`${what}, which touch fs:n`]]);
});

test('tests of a file of which only what ran in other processes was not judged are told as one', () => {
  const within = (...processes: string[]) =>
    processes.map((program) => ({ processes: [program], shared: [], blind: false, within: true }));
  const entries = (...tests: ReportTest[]) =>
    entriesOf({ ...everyState, tests, bugs: [] }, { bugs: [], tests: {} });
  const file = 'a.test.ts';
  const alone = testOf('x', { file, coverage: 'no-concurrency', beside: within('cli.js') });
  const beside = within('cli.js', 'lib/work.mjs');
  const orders = { count: 8, all: false };
  const forced = testOf('y', { file, orders, verdicts: { ...verdicts, passed: 2 }, beside });
  assert.deepEqual(
    entries(alone).map(({ state, lines }) => [state, lines]),
    [['partly', ['not judged: what cli.js does in a process of its own']]],
  );
  const [both, ...none] = entries(forced, alone);
  assert.deepEqual(none, []);
  assert.deepEqual(both, {
    state: 'partly',
    title: 'a.test.ts  2 tests',
    label: 'PARTLY ANALYSED: 2 passed',
    lines: [
      '2 forced runs, none failed',
      'not judged: what cli.js and lib/work.mjs do in processes of their own',
    ],
  });
});

test('sources that ran without being looked into leave something over', () => {
  const test = testOf('x', { coverage: 'no-concurrency', unseen: ['view.tsx'] });
  assert.deepEqual([stateOf(test, {}), unseenAs(test, false)], ['partly', 'partly']);
});

test('a failure of which no time was left to tell the class is told, and is no bug', () => {
  const undecided = testOf('x', {
    undecided: 'Error: lost',
    analysis: 'partly',
    verdicts: { ...verdicts, passed: 3 },
  });
  const [entry] = entriesOf({ ...everyState, tests: [undecided], bugs: [] }, { bugs: [], tests: {} });
  assert.equal(entry?.state, 'unclear');
  assert.match(
    entry?.lines.join('; ') ?? '',
    /fails in a forced order, each time: Error: lost; no time was left/,
  );
  assert.doesNotMatch(entry?.lines.join('; ') ?? '', /none failed/);
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
  const lines = (orders: ReportTest['orders']) =>
    orderLines(testOf('x', { verdicts: { ...verdicts, passed: 41 }, orders }));
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

test('that not all pairs of two variables were compared is said', () => {
  const silence = { pairs: 0, left: 0, reasons: [], isPairsCut: true };
  const said = 'of variables that may have to agree two by two, only some were compared';
  assert.equal(silenceLines(testOf('x'), silence).at(-1), said);
  assert.equal(silenceLines(testOf('x'), { ...silence, pairs: 3 }).at(-1), said);
  assert.notEqual(silenceLines(testOf('x'), { ...silence, isPairsCut: false }).at(-1), said);
});

test('what a deeper search would take, and how it is started', () => {
  const deeper = { command: 'unweave run --deep -- npm test', orders: 5000 };
  const silent = (id: string, count: number, all = false) =>
    testOf(id, { analysis: 'complete', verdicts: { ...verdicts, passed: 41 }, orders: { count, all } });
  const lines = (...tests: ReportTest[]) =>
    deeperLines({ ...everyState, tests }, { bugs: [], tests: { own: { spec: 'a shop' } }, deeper });
  assert.deepEqual(lines(silent('a', 36, true), silent('b', 12), silent('own', 900)), []);
  assert.deepEqual(lines(silent('a', 1041), silent('b', 12)), [
    '1 test without a finding with orders left: about 1000 more runs would execute all: unweave run --deep -- npm test',
  ]);
  assert.deepEqual(lines(silent('a', 1041), silent('b', 1e12)), [
    '2 tests without a finding with orders left: a deeper search takes up to 5959 more runs, and there are more orders than that: unweave run --deep -- npm test',
  ]);
  assert.deepEqual(deeperLines({ ...everyState, tests: [silent('a', 1041)] }, { bugs: [], tests: {} }), []);
});

test('what ended early says what was executed and what was left, and never that nothing was found', () => {
  const silence = { pairs: 9, left: 0, reasons: [] };
  const cut = testOf('x', { analysis: 'partly', left: 8, verdicts: { ...verdicts, passed: 1 } });
  const views = { bugs: [], tests: { x: { silence } }, ended: 'interrupted' };
  const [entry] = entriesOf({ ...everyState, tests: [cut] }, views);
  assert.equal(entry?.state, 'partly');
  assert.deepEqual(entry.lines, [
    '1 forced run, none failed',
    'interrupted: left: 8 predicted orders not forced',
    '9 pairs looked at; these can meet',
  ]);
});

test('runs of which none, or less than half, took its order are said to be that', () => {
  const executed = (more: Partial<ReportTest['verdicts']>) =>
    entriesOf(
      {
        ...everyState,
        tests: [testOf('x', { analysis: 'partly', verdicts: { ...verdicts, ...more } })],
        bugs: [],
      },
      { bugs: [], tests: {} },
    )[0]?.lines[0];
  assert.equal(
    executed({ infeasible: 7, diverged: 22 }),
    '29 forced runs, none failed, but none took its order',
  );
  assert.equal(
    executed({ passed: 1, diverged: 22 }),
    '23 forced runs, none failed, but only 1 of them took its order',
  );
  assert.equal(
    executed({ passed: 3, infeasible: 4 }),
    '7 forced runs, none failed, but only 3 of them took their order',
  );
  assert.equal(executed({ passed: 3, diverged: 3 }), '6 forced runs, none failed');
});

test('a file whose tests have nothing to say is one line, unless all is wanted', () => {
  const tests = Array.from({ length: 41 }, (_, n) =>
    testOf(`t${n}`, { file: 'test/a.test.ts', name: `case ${n}`, coverage: 'no-concurrency' }),
  );
  const report = { ...everyState, tests };
  assert.deepEqual(
    entriesOf(report, { bugs: [], tests: {} }).map(({ title, lines }) => [title, lines]),
    [['test/a.test.ts  41 tests, one order each', []]],
  );
  assert.equal(entriesOf(report, { bugs: [], tests: {} }, true).length, 41);
  const loud = tests.with(7, testOf('t7', { file: 'test/a.test.ts', coverage: 'blind' }));
  assert.deepEqual(
    entriesOf({ ...report, tests: loud }, { bugs: [], tests: {} }).map(({ state }) => state),
    ['alone', 'blind'],
  );
});

test('accesses that were not recorded are told of tests with orders that were not executed', () => {
  const loud = (id: string, extra: Partial<ReportTest>) =>
    testOf(id, { file: 'test/a.test.ts', name: id, ...extra });
  const silent = { analysis: 'complete', verdicts: { ...verdicts, passed: 3 } } as const;
  const tests = [
    loud('alone', { coverage: 'no-concurrency' }),
    loud('whole', { ...silent, orders: { count: 3, all: true } }),
    loud('left', { ...silent, orders: { count: 90, all: false } }),
  ];
  const views = {
    bugs: [],
    tests: Object.fromEntries(tests.map(({ id }, n) => [id, { saturated: 10 ** n }])),
  };
  const told = (some: ReportTest[], verbose: boolean) =>
    entriesOf({ ...everyState, tests: some }, views, verbose)
      .flatMap(({ lines }) => lines)
      .filter((line) => line.includes('program point'));
  const said = '100 program points ran so often that later accesses were not recorded';
  for (const verbose of [false, true]) assert.deepEqual(told(tests, verbose), [said]);
  assert.deepEqual(told(tests.slice(0, 2), false), []);
});

test('what was only recorded is one line for a file', () => {
  const tests = Array.from({ length: 3 }, (_, n) =>
    testOf(`t${n}`, {
      file: 'test/a.test.ts',
      name: `case ${n}`,
      analysis: 'none',
      events: 10,
      tasks: 2,
      schedules: 0,
    }),
  );
  const views = { bugs: [], tests: {}, ended: 'interrupted' };
  const told = entriesOf({ ...everyState, tests }, views).map(({ title, label }) => [title, label]);
  assert.deepEqual(told, [['test/a.test.ts  3 tests', 'recorded: 30 events, 6 tasks']]);
  assert.equal(entriesOf({ ...everyState, tests }, views, true).length, 3);
});

test('of scenarios it says what was judged, and nothing of those with an order that nobody knows of', () => {
  const told = (...counts: readonly Partial<ReportTest['verdicts']>[]) => {
    const tests = counts.map((each, at) =>
      testOf(`x${at}`, { analysis: 'partly', verdicts: { ...verdicts, ...each } }),
    );
    const notes = Object.fromEntries(tests.map(({ id }) => [id, { spec: 'requests' }]));
    const report = { ...everyState, tests, bugs: [] };
    return renderSummary(report, { bugs: [], tests: notes }, new Map(), makeStyle(false)).join('\n');
  };
  assert.match(
    told({ passed: 3 }, { passed: 2, unknown: 1 }),
    /each outcome of 1 scenario is .* in the 4 orders executed/,
  );
  assert.doesNotMatch(told({ passed: 2, unknown: 1 }), /each outcome/);
});

test('a test case whose event loop and threads were looked at is one line and one test, as bad as the worse of them', () => {
  const file = 'test/w.test.ts';
  const loop = testOf('w', { file, verdicts: { ...verdicts, passed: 3 } });
  const threads = testOf('w (threads)', {
    file,
    partOf: 'w',
    verdicts: { ...verdicts, confirmed: 1, passed: 2 },
  });
  const views = { bugs: [], tests: { w: { ungated: { Worker: 2, 'dns.lookup': 1 } } } };
  const found = {
    ...everyState,
    tests: [loop, threads],
    bugs: [{ ...everyState.bugs[0]!, test: threads.id }],
  };
  const [entry, ...others] = entriesOf(found, views);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [entry!.state, entry!.title, entry!.label],
    ['bug', `${file} › case`, 'event loop: 3 passed; threads: 1 confirmed · 2 passed'],
  );
  assert.ok(entry!.lines.includes('event loop: not controlled, ran when it ran: dns.lookup (1×)'));
  assert.match(closing(found, views, new Map())[0]!, /^1 bug in 1 of 1 test ·/);

  const silent = { ...threads, verdicts: { ...verdicts, passed: 2 } };
  const quiet = { ...everyState, tests: [loop, silent], bugs: [] };
  const [both, ...more] = entriesOf(quiet, views);
  assert.deepEqual([both!.state, more], ['silent', []]);
  assert.match(closing(quiet, views, new Map())[0]!, /^no bug confirmed in 1 test ·/);
});
