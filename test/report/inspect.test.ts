import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type InspectCutPoint, inspectJson, renderInspect } from '../../report/inspect.ts';
import { renderList } from '../../report/list.ts';
import { makeStyle } from '../../report/style.ts';
import { matchesGolden } from './golden.ts';
import { bankCut, CWD, checkThenAct, lostUpdate, read } from './samples.ts';

const context = { style: makeStyle(false, 110), read, cwd: CWD };

const item: InspectCutPoint = {
  cutPoint: bankCut('RWW'),
  testTitle: 'test/bank.test.ts › two deposits',
  transaction: 'Account.deposit',
  locks: { first: [{ name: 'Mutex@src/bank.ts:2', since: ['Mutex@src/log.ts:1'] }], remote: [] },
  rank: 12.5,
  reasons: ['read-then-write', 'same function'],
  schedules: [
    { id: 's1', moves: 1, switches: 2, stallMs: 0, verdict: 'confirmed', steps: lostUpdate.failing },
    { id: 's2', moves: 2, switches: 3, stallMs: 30, verdict: null, steps: [] },
  ],
  bug: 'b7f3a1',
};
const other: InspectCutPoint = {
  ...item,
  cutPoint: { ...checkThenAct.cutPoint!, id: 'c2' },
  schedules: [],
  bug: null,
};

test('several cut points: a table', () =>
  matchesGolden(
    'inspect-list',
    renderInspect({ cutPoints: [item, other], orders: [], triples: null, filters: [] }, context),
  ));

test('one cut point: accesses, locks with histories, schedules, verdict', () =>
  matchesGolden(
    'inspect-detail',
    renderInspect({ cutPoints: [item], orders: [], triples: null, filters: ['c1'] }, context),
  ));

test('none: says what did not match', () => {
  assert.equal(
    renderInspect({ cutPoints: [], orders: [], triples: null, filters: ['x'] }, context),
    'no cut point matches "x"\n',
  );
  assert.equal(
    renderInspect({ cutPoints: [], orders: [], triples: null, filters: [] }, context),
    'no cut points in this store\n',
  );
});

test('as JSON, with the verdict that says most', () => {
  const json = inspectJson({ cutPoints: [item, other], orders: [], triples: null, filters: [] }) as {
    cutPoints: { verdict: unknown }[];
  };
  assert.deepEqual(
    json.cutPoints.map((cut) => cut.verdict),
    ['confirmed', null],
  );
});

test('the list of what would be run', () => {
  const tests = [
    { file: 'a.test.ts', name: 'x', schedules: 4 },
    { file: 'a.test.ts', name: 'y', schedules: null },
  ];
  assert.equal(
    renderList({ tests, atMostMs: 120_000, aboutMs: 3000 }, context.style),
    'a.test.ts › x — 4 schedules predicted\na.test.ts › y\n2 tests: about 3 s; the budgets allow 2 min 0 s\n',
  );
});
