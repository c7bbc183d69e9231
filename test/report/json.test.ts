import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import type { AccessPoint, CutPoint, Pattern } from '../../data/prediction.ts';
import { parseReport } from '../../data/report.ts';
import type { Failure } from '../../data/run.ts';
import { bugId, buildReport, type ReportFinding, writeJson } from '../../report/json.ts';
import { temporary } from '../temporary.ts';
import { testOf } from './samples.ts';

const PLACES = ['src/a.ts:3:7', 'src/a.ts:5:3'];
const point = (site: number, task: string, access: 'read' | 'write'): AccessPoint => ({
  site,
  path: `root.${task}`,
  task,
  access,
  ordinal: 0,
  request: null,
  event: 0,
  at: PLACES[site] ?? 'nowhere',
});
const cutPoint = (pattern: Pattern, entity = 'Counter#n'): CutPoint => ({
  id: 'c1',
  pattern,
  entity,
  first: point(0, 'a', 'read'),
  remote: point(1, 'b', 'write'),
  second: point(1, 'a', 'write'),
  transaction: 'root.a',
  locksFirst: [],
  locksRemote: [],
  rank: 1,
  reasons: [],
});
const failure = (fingerprint: string, kind: Failure['kind'] = 'assertion'): Failure => ({
  kind,
  name: 'AssertionError',
  message: '1 !== 2',
  stack: '',
  fingerprint,
});
const finding = (more: Partial<ReportFinding> = {}): ReportFinding => ({
  test: 't1',
  cutPoint: cutPoint('RWW'),
  failure: failure('f'),
  conditional: null,
  waits: [],
  reproduced: { ok: 3, of: 3 },
  control: { ok: 3, of: 3 },
  witness: null,
  counterfactual: null,
  fix: null,
  requiredStallMs: 0,
  requiredPauseMs: 0,
  switches: 2,
  schedulesUntilFound: 5,
  ...more,
});
const timing = { monitorMs: 1, predictMs: 2, rescheduleMs: 3 };
const bugs = (...findings: ReportFinding[]) => buildReport({ tests: [testOf('t1')], findings, timing }).bugs;

test('a bug keeps its id where a name holds what the program makes anew', () => {
  const idOf = (entity: string): string => bugId('t1', entity, 'f');
  const alike = [
    ['fs:*/8d672491-4623-4e80-839c-53e37f5214b4.json', 'fs:*/00f11ea3-aa51-4b6c-9f0e-8b3a2f7d9c01.json'],
    ['Limiter#map[d:29930371]', 'Limiter#map[d:29930372]'],
    ['Map@a.js:3[1795825463654]', 'Map@a.js:3[1795825470001]'],
    ['Map@a.js:3[65f1c0ffee12ab34cd56ef78]', 'Map@a.js:3[65f1c0ffee12ab34cd56ef79]'],
  ] as const;
  for (const [one, other] of alike) assert.equal(idOf(one), idOf(other), one);
  const apart = [
    'Map@a.js:3[key17]',
    'Map@a.js:3[key18]',
    'Account#balance',
    'Account#feedback',
    'Account#defaced',
  ];
  assert.equal(new Set(apart.map(idOf)).size, apart.length);
});

test('a finding becomes a bug with places, ratios and a replay command', () => {
  const place = { file: 'src/b.ts', line: 8, column: 9 };
  const [bug] = bugs(finding({ witness: '9/10', calls: { first: [{ ...place, fn: 'main' }] } }));
  assert.deepEqual(bug?.first, {
    ...{ file: 'src/a.ts', line: 3, column: 7, access: 'read', task: 'a' },
    calledFrom: [{ ...place, function: 'main' }],
  });
  assert.deepEqual(bug?.second?.calledFrom, []);
  assert.equal(bug?.witness, '9/10');
  assert.equal(bug?.error, 'AssertionError: 1 !== 2');
  assert.equal(bug?.replay, `unweave replay ${bug?.id}`);
  assert.equal(bug?.id, bugId('t1', 'Counter#n', 'f'));
});

test('one bug is one defect: same test, entity and error; the rest are variants', () => {
  const found = bugs(
    finding(),
    finding({ cutPoint: cutPoint('RWR'), schedulesUntilFound: 2 }),
    finding({ cutPoint: cutPoint('RWW', 'Counter#m') }),
    finding({ failure: failure('g') }),
    finding({ test: 't2' }),
  );
  assert.deepEqual(
    found.map((bug) => [bug.test, bug.entity, bug.variants.map((variant) => variant.pattern)]),
    [
      ['t1', 'Counter#n', ['RWR']],
      ['t1', 'Counter#m', []],
      ['t1', 'Counter#n', []],
      ['t2', 'Counter#n', []],
    ],
  );
  assert.equal(found[0]?.schedulesUntilFound, 2);
  assert.equal(new Set(found.map((bug) => bug.id)).size, 4);
});

test('a random failure joins the predicted defect with the same error, whichever came first', () => {
  const [bug, ...others] = bugs(finding({ cutPoint: null, schedulesUntilFound: 1 }), finding());
  assert.equal(bug?.pattern, 'RWW');
  assert.deepEqual(bug?.variants, []);
  assert.deepEqual(others, []);
});

test('a conditional failure never hides or names an unconditional one', () => {
  const found = bugs(finding({ conditional: 'needs 4 s' }), finding());
  assert.deepEqual(
    found.map((bug) => bug.conditional),
    ['needs 4 s', null],
  );
  assert.notEqual(found[0]?.id, found[1]?.id);
});

test('a deadlock has no pattern', () => {
  const [bug] = bugs(finding({ failure: failure('d', 'deadlock'), waits: ['a waits for b'] }));
  assert.deepEqual([bug?.pattern, bug?.entity, bug?.first], [null, null, null]);
  assert.deepEqual(bug?.waits, ['a waits for b']);
});

test('an unknown program point is an error, not an invented place', () => {
  assert.throws(
    () => bugs(finding({ cutPoint: { ...cutPoint('RWW'), first: point(9, 'a', 'read') } })),
    /unknown program point/,
  );
});

test('a file is written whole or not at all, and reads back', async () => {
  const cwd = temporary('unweave-json');
  const report = buildReport({ tests: [testOf('t1')], findings: [finding()], timing });
  await writeJson(report, 'out/report.json', { cwd });
  assert.deepEqual(parseReport(readFileSync(join(cwd, 'out/report.json'), 'utf8'), 'report.json'), report);
  assert.deepEqual(readdirSync(join(cwd, 'out')), ['report.json']);
  await assert.rejects(writeJson(report, 'out', { cwd }), {
    name: 'ReportError',
    message: 'out: cannot be written (EISDIR)',
  });
  assert.deepEqual(readdirSync(cwd), ['out'], 'no part is left behind');
});

test('"-" writes to standard output and nothing else', async () => {
  const chunks: string[] = [];
  const stdout = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  await writeJson({ a: 1 }, '-', { stdout });
  assert.deepEqual(JSON.parse(chunks.join('')), { a: 1 });
});
