import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import Database from 'better-sqlite3';
import { openStore } from '../../../data/store/index.ts';
import { stretches } from '../../../data/store/rows.ts';
import { WINDOW } from '../../../data/store/schema/views.ts';
import { EventKind } from '../../../data/trace.ts';
import { failed, folder, makeBug, makeCutPoint, makeSchedule, makeTrace, newTest } from './support.ts';

const trace = makeTrace(140_000);
const cutPoint = makeCutPoint('c', 2, 65_500);

/** What the sqlite3 shell would see, after one test with everything. */
function shell(t: TestContext, exported = false): (sql: string) => Record<string, unknown>[] {
  const path = join(folder(), 'trace.db');
  using store = openStore(path, { create: true });
  store.putTest(newTest('a'));
  store.putTrace('a', trace);
  store.putCutPoints('a', [makeCutPoint('low', 1), cutPoint]);
  store.putSchedules('a', [makeSchedule('s', 'c'), makeSchedule('r')]);
  store.recordSchedulePlanned('a', makeSchedule('s', 'c'));
  store.recordRun('a', { schedule: 's', mode: 'warm', control: false, result: failed });
  store.setVerdict('a', 's', { verdict: 'confirmed', note: 'really' });
  store.putBug({ fingerprint: 'f1', schedule: 's', report: makeBug('b1', 'a') });
  if (exported) assert.equal(store.exportRows('a'), 140_000);
  const db = new Database(path, { readonly: true });
  t.after(() => db.close());
  return (sql) => db.prepare(sql).all() as Record<string, unknown>[];
}

test('cut points are listed best first, with their places and reasons', (t) => {
  const rows = shell(t)('SELECT * FROM cut_point_list');
  assert.deepEqual(
    rows.map(({ id }) => id),
    ['c', 'low'],
  );
  const site = trace.sites[cutPoint.first.site]!;
  const { first, first_text, locks_first, locks_remote, reasons } = rows[0]!;
  assert.deepEqual(
    { first, first_text, locks_first, locks_remote, reasons },
    {
      first: `${site.file}:${site.line}:${site.column}`,
      first_text: site.text,
      locks_first: 'Mutex@a.ts:1; b',
      locks_remote: null,
      reasons: 'small stall; same function',
    },
  );
});

test('schedules show verdict, runs and steps by name', (t) => {
  const select = shell(t);
  assert.deepEqual(select('SELECT id, verdict, note, attempts, runs FROM schedule_list'), [
    { id: 's', verdict: 'confirmed', note: 'really', attempts: 1, runs: 1 },
    { id: 'r', verdict: null, note: null, attempts: 0, runs: 0 },
  ]);
  assert.deepEqual(
    select("SELECT name FROM schedule_steps WHERE schedule = 's' ORDER BY step").map(({ name }) => name),
    makeSchedule('s').steps,
  );
  assert.deepEqual(
    select('SELECT name FROM run_steps ORDER BY step').map(({ name }) => name),
    failed.steps,
  );
});

test('bugs are listed by test', (t) => {
  const [bug] = shell(t)('SELECT test_name, id, pattern, entity, first, remote, error FROM bug_list');
  assert.deepEqual(bug, {
    test_name: 'outer > a',
    id: 'b1',
    pattern: 'RWW',
    entity: 'Account#balance',
    first: 'src/a.ts:3',
    remote: 'src/a.ts:3',
    error: 'AssertionError: 1 != 2',
  });
});

test('the window of a cut point holds the events around its accesses, and marks them', (t) => {
  const rows = shell(t)("SELECT event, mark FROM windows WHERE cut_point = 'c' ORDER BY event");
  assert.equal(rows.length, 2 * WINDOW + 1 + 5);
  assert.deepEqual([rows[0]?.event, rows.at(-1)?.event], [65_500 - WINDOW, 65_505 + WINDOW]);
  assert.deepEqual(
    rows.filter(({ mark }) => mark !== null),
    [
      { event: 65_500, mark: 'first' },
      { event: 65_502, mark: 'remote' },
      { event: 65_505, mark: 'second' },
    ],
  );
});

test('exported events say who did what to what, at which place', (t) => {
  const rows = shell(t, true)('SELECT * FROM events ORDER BY event');
  assert.equal(rows.length, trace.events.length);
  const kinds = Object.keys(EventKind).map((kind) => kind.toLowerCase());
  const object = (kind: number, at: number): string => {
    if (kind <= 1) return trace.entities[at]!.name;
    if (kind <= 3) return trace.locks[at]!.name;
    if (kind <= 6) return trace.requests[at]!.name;
    if (kind === 7) return `job ${at}`;
    const condition = trace.conditions[at]!;
    return condition.kind === 'lock' ? trace.locks[condition.lock]!.name : `condition ${at}`;
  };
  for (let i = 0; i < 3000; i++) {
    const at = i * 46;
    const site = trace.sites[trace.events.site[at]!];
    assert.deepEqual(rows[at], {
      test: 'a',
      event: at,
      kind: kinds[trace.events.kind[at]!],
      activation: trace.activations[trace.events.activation[at]!]!.name,
      path: trace.activations[trace.events.activation[at]!]!.path,
      place: site ? `${site.file}:${site.line}:${site.column}` : null,
      text: site?.text ?? null,
      object: object(trace.events.kind[at]!, trace.events.object[at]!),
    });
  }
});

test('stretches stay within the trace and are merged where they touch', () => {
  assert.deepEqual(stretches([], 10), []);
  assert.deepEqual(stretches([5], 10), [[0, 10]]);
  assert.deepEqual(stretches([1000, 150, 5], 1050), [
    [0, 251],
    [900, 1050],
  ]);
  assert.deepEqual(stretches([100, 301], 9999), [[0, 402]]);
  assert.deepEqual(stretches([100, 302], 9999), [
    [0, 201],
    [202, 403],
  ]);
});
