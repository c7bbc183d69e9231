import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseReport, type Report, ReportError, reportSchema } from '../../data/report.ts';
import { noVerdicts, VERDICTS } from '../../data/verdicts.ts';
import { makeBug } from './store/support.ts';

const report: Report = {
  version: 1,
  tests: [
    {
      id: 't',
      file: 'test/a.test.ts',
      name: 'outer > inner',
      baseline: 'passed',
      coverage: 'analysed',
      analysis: 'complete',
      events: 10,
      tasks: 2,
      sharedEntities: 1,
      orders: { count: 6, all: true },
      cutPoints: 3,
      schedules: 3,
      left: 0,
      verdicts: { ...noVerdicts(), confirmed: 1, passed: 2 },
      plain: null,
      natural: null,
      peers: [],
      unseen: [],
      ownProcesses: null,
      undecided: null,
      beside: [],
      partOf: null,
      endless: 0,
    },
  ],
  bugs: [
    { ...makeBug('b', 't'), witness: '9/10' },
    {
      ...makeBug('d', 't'),
      kind: 'deadlock',
      pattern: null,
      entity: null,
      first: null,
      remote: null,
      second: null,
      waits: ['A waits for B'],
    },
  ],
  timing: { monitorMs: 1, predictMs: 2.5, rescheduleMs: 3 },
};

/** The report with the value at a path replaced. */
function spoilt(path: readonly (string | number)[], value: unknown): unknown {
  const copy = structuredClone(report) as unknown as Record<string | number, unknown>;
  let at = copy;
  for (const step of path.slice(0, -1)) at = at[step] as typeof at;
  at[path.at(-1) as string] = value;
  return copy;
}

test('a report reads back as it was written', () => {
  assert.deepEqual(parseReport(`\uFEFF${JSON.stringify(report)}`, 'r.json'), report);
});

test('the keys of a report are those of its version', () => {
  assert.deepEqual(Object.keys(reportSchema.shape), ['version', 'tests', 'bugs', 'timing']);
  const { tests, bugs } = reportSchema.shape;
  assert.deepEqual(
    Object.keys(tests.element.shape).join(' '),
    'id file name baseline coverage analysis events tasks sharedEntities orders cutPoints schedules left verdicts endless plain natural peers unseen ownProcesses undecided beside partOf',
  );
  assert.deepEqual(
    Object.keys(bugs.element.shape).join(' '),
    'id test kind class timing latency pattern entity conditional first remote second collision other variants packages lookedInto waits wakeUp error reproduced against control ' +
      'witness counterfactual fix network requiredStallMs requiredPauseMs likelihood switches schedulesUntilFound replay',
  );
});

for (const [path, value] of [
  [['tests', 0, 'baseline'], 'green'],
  [['tests', 0, 'events'], -1],
  [['tests', 0, 'events'], 1.5],
  [['tests', 0, 'verdicts', 'maybe'], 1],
  [['tests', 0, 'verdicts'], { confirmed: 1 }],
  [['bugs', 0, 'kind'], 'crash'],
  [['bugs', 0, 'pattern'], 'RRR'],
  [['bugs', 0, 'first', 'line'], 0],
  [['bugs', 0, 'reproduced'], '3 of 3'],
  [['bugs', 0, 'witness'], undefined],
  [['extra'], true],
  [['bugs', 0, 'extra'], true],
  [['version'], '1'],
  [['version'], 0],
] as const)
  test(`a report with ${path.join('.')} = ${JSON.stringify(value)} is refused in one line`, () => {
    assert.throws(
      () => parseReport(JSON.stringify(spoilt(path, value)), 'r.json'),
      (error) => error instanceof ReportError && /^r\.json: not a report: [^\n]+$/.test(error.message),
    );
  });

test('a report of a newer version says so', () => {
  assert.throws(
    () => parseReport(JSON.stringify(spoilt(['version'], 2)), 'r.json'),
    /written by a newer unweave/,
  );
});

for (const text of ['', '{', 'null', '[]', '3'])
  test(`${JSON.stringify(text)} is no report`, () => {
    assert.throws(() => parseReport(text, 'r.json'), ReportError);
  });

test('a count for every verdict', () => {
  assert.deepEqual(Object.keys(noVerdicts()), [...VERDICTS]);
});
