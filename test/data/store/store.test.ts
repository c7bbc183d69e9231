import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { MINIMAL, openStore, type Store, StoreError } from '../../../data/store/index.ts';
import {
  failed,
  folder,
  makeBug,
  makeCutPoint,
  makeSchedule,
  makeTrace,
  newTest,
  passed,
} from './support.ts';

function fresh(t: TestContext): Store {
  const store = openStore(join(folder(), '.unweave', 'trace.db'), { create: true });
  t.after(() => store.close());
  return store;
}

const code = (expected: string) => (error: unknown) => error instanceof StoreError && error.code === expected;

for (const length of [0, 1, 1000, 65_535, 65_536, 65_537, 200_000])
  test(`a trace of ${length} events comes back as it went in`, (t) => {
    const store = fresh(t);
    store.putTest(newTest('a'));
    const trace = makeTrace(length);
    store.putTrace('a', trace);
    assert.deepEqual(store.getTrace('a'), trace);
    assert.equal(store.traceCounts('a')?.events, length);
  });

test('a part of the events is the same as that part of the trace', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  const trace = makeTrace(150_000);
  store.putTrace('a', trace);
  for (const [from, to] of [
    [0, 10],
    [65_530, 65_550],
    [70_000, 140_000],
    [149_990, 150_000],
    [131_072, 131_073],
    [10, 10],
    [-5, 3],
    [149_999, 999_999],
  ] as const) {
    const part = store.getEvents('a', from, to);
    const want = [Math.max(0, from), Math.min(to, 150_000)] as const;
    assert.equal(part.length, want[1] - want[0]);
    for (const column of ['kind', 'activation', 'site', 'object'] as const)
      assert.deepEqual(part[column], trace.events[column].slice(...want));
  }
});

test('sites are stored once, and each trace keeps its own order of them', (t) => {
  const store = fresh(t);
  const one = makeTrace(100, 1, 40);
  const other = { ...makeTrace(100, 2, 40), sites: [...one.sites].reverse() };
  for (const [id, trace] of Object.entries({ one, other })) {
    store.putTest(newTest(id));
    store.putTrace(id, trace);
  }
  assert.deepEqual(store.getTrace('one')?.sites, one.sites);
  assert.deepEqual(store.getTrace('other')?.sites, other.sites);
  assert.deepEqual(store.getTrace('other')?.activations, other.activations);
});

test('a trace whose events point nowhere is refused and nothing is kept of it', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  for (const spoil of [
    (trace: ReturnType<typeof makeTrace>) => void (trace.events.object[7] = 99),
    (trace: ReturnType<typeof makeTrace>) => void (trace.events.kind[7] = 9),
    (trace: ReturnType<typeof makeTrace>) => void (trace.events.activation[7] = 30),
    (trace: ReturnType<typeof makeTrace>) => void (trace.events.site[7] = 40),
    (trace: ReturnType<typeof makeTrace>) => void Object.assign(trace.entities[3]!, { id: 4 }),
  ]) {
    const trace = makeTrace(10);
    spoil(trace);
    assert.throws(() => store.putTrace('a', trace), code('invalid'));
  }
  assert.equal(store.getTrace('a'), null);
});

test('what hangs on an unknown test is refused', (t) => {
  const store = fresh(t);
  assert.throws(() => store.putTrace('nobody', makeTrace(3)), code('invalid'));
  assert.throws(() => store.putCutPoints('nobody', []), code('invalid'));
  assert.throws(() => store.putSchedules('nobody', [makeSchedule('s')]), code('invalid'));
  assert.throws(() => store.updateTest('nobody', { baseline: 'red' }), code('invalid'));
  assert.throws(() => store.setVerdict('nobody', 's', 'passed'), code('invalid'));
});

test('cut points come back best first, with their lists', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  store.putTrace('a', makeTrace(100));
  const [low, high] = [makeCutPoint('low', 1), makeCutPoint('high', 2.5, 20)];
  store.putCutPoints('a', [low, high]);
  assert.deepEqual(store.getCutPoints('a'), [high, low]);
});

test('schedules keep the order in which they were put, and a known id its steps', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  const of = ['s2', 's1', 's3'].map((id) => makeSchedule(id));
  store.putSchedules('a', of.slice(0, 2));
  store.putSchedules('a', [{ ...makeSchedule('s1'), steps: [] }, of[2]!]);
  assert.deepEqual(
    store.schedules('a').map((each) => each.schedule),
    of,
  );
});

test('a schedule that was announced and never came back is pending and interrupted', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  store.recordSchedulePlanned('a', makeSchedule('s'), 'random', 42);
  const [planned] = store.pendingSchedules('a');
  assert.deepEqual(planned, {
    test: 'a',
    schedule: makeSchedule('s'),
    origin: 'random',
    seed: 42,
    attempts: 1,
    interrupted: true,
    verdict: null,
    note: null,
  });
  store.recordRun('a', { schedule: 's', mode: 'warm', control: false, result: passed });
  assert.equal(store.pendingSchedules('a')[0]?.interrupted, false);
  store.setVerdict('a', 's', { verdict: 'passed', note: 'fine' });
  assert.deepEqual(store.pendingSchedules('a'), []);
  assert.equal(store.schedules('a')[0]?.verdict, 'passed');
  assert.equal(store.findSchedules('s')[0]?.note, 'fine');
});

test('runs come back as they went in, except for the choices', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  store.putSchedules('a', [makeSchedule('s')]);
  const runs = [
    { schedule: null, mode: 'fresh', control: false, result: passed },
    { schedule: 's', mode: 'warm', control: false, result: failed },
    { schedule: 's', mode: 'fresh', control: true, result: { ...passed, followed: null } },
  ] as const;
  const ids = runs.map((run) => store.recordRun('a', run));
  const stored = runs.map((run, at) => ({ id: ids[at], ...run }));
  assert.deepEqual(store.runs('a'), stored);
  assert.deepEqual(store.runs('a', 's'), stored.slice(1));
  assert.deepEqual(store.runs('a', null), stored.slice(0, 1));
});

test('each stage sees the tests that it still has to do', (t) => {
  const store = fresh(t);
  const todo = () =>
    (['record', 'predict', 'reschedule'] as const).map((stage) => store.testsToDo(stage).map(({ id }) => id));
  store.putTests(['a', 'b', 'red'].map(newTest));
  store.updateTest('red', { baseline: 'red', note: 'fails' });
  assert.deepEqual(todo(), [['a', 'b'], [], []]);
  store.updateTest('a', { baseline: 'passed', coverage: 'analysed' });
  store.putTrace('a', makeTrace(100));
  assert.deepEqual(todo(), [['b'], ['a'], []]);
  store.putCutPoints('a', []);
  assert.deepEqual(todo(), [['b'], [], ['a']]);
  store.updateTest('a', { finished: true });
  assert.deepEqual(todo(), [['b'], [], []]);
});

test('a test that is registered again keeps what is known of it', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  store.updateTest('a', { baseline: 'passed', coverage: 'blind', tasks: 3, sharedEntities: 2, note: 'n' });
  store.putTest({ ...newTest('a'), recipe: { new: true } });
  const { recipe, baseline, coverage, tasks, sharedEntities, note } = store.getTest('a')!;
  assert.deepEqual(
    { recipe, baseline, coverage, tasks, sharedEntities, note },
    { recipe: { new: true }, baseline: 'passed', coverage: 'blind', tasks: 3, sharedEntities: 2, note: 'n' },
  );
});

test('a new trace replaces all that was derived from the old one', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  store.recordRun('a', { schedule: null, mode: 'fresh', control: false, result: passed });
  store.putTrace('a', makeTrace(100, 1));
  store.putCutPoints('a', [makeCutPoint('c')]);
  store.recordSchedulePlanned('a', makeSchedule('s', 'c'));
  store.recordRun('a', { schedule: 's', mode: 'warm', control: false, result: failed });
  store.setVerdict('a', 's', 'confirmed');
  store.putBug({ fingerprint: 'f', schedule: 's', report: makeBug('b', 'a') });
  const trace = makeTrace(50, 2);
  store.putTrace('a', trace);
  assert.deepEqual(store.getTrace('a'), trace);
  assert.deepEqual([store.getCutPoints('a'), store.schedules('a'), store.bugs()], [[], [], []]);
  assert.deepEqual(
    store.runs('a').map(({ schedule }) => schedule),
    [null],
  );
});

test('predicting again keeps the schedules that were begun', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  store.putTrace('a', makeTrace(100));
  store.putCutPoints('a', [makeCutPoint('c')]);
  store.putSchedules('a', [makeSchedule('never', 'c')]);
  store.recordSchedulePlanned('a', makeSchedule('begun', 'c'));
  store.putCutPoints('a', []);
  assert.deepEqual(
    store.schedules('a').map(({ schedule }) => schedule.id),
    ['begun'],
  );
});

test('bugs are told test by test, whichever was found first', (t) => {
  const store = fresh(t);
  store.putTests([newTest('a'), newTest('b')]);
  for (const [id, test] of [
    ['z', 'b'],
    ['y', 'a'],
    ['x', 'b'],
  ] as const)
    store.putBug({ fingerprint: id, schedule: null, report: makeBug(id, test) });
  assert.deepEqual(
    store.report().bugs.map(({ id }) => id),
    ['y', 'z', 'x'],
  );
});

test('a report says how far the analysis of each test came', (t) => {
  const store = fresh(t);
  store.putTests([newTest('a')]);
  const analysis = () => store.report().tests[0]?.analysis;
  assert.equal(analysis(), 'none');
  store.updateTest('a', { baseline: 'passed', coverage: 'analysed' });
  store.putTrace('a', makeTrace(1));
  const schedules = [makeSchedule('s'), makeSchedule('r'), makeSchedule(`s${MINIMAL}`)];
  store.putSchedules('a', schedules);
  assert.equal(analysis(), 'none', 'nothing was forced');
  store.setVerdict('a', 's', 'passed');
  store.updateTest('a', { finished: true });
  assert.equal(analysis(), 'partly', 'a predicted order is left');
  store.setVerdict('a', 'r', 'infeasible');
  assert.equal(analysis(), 'complete', 'the minimal form of an order is for its replay');
  store.updateTest('a', { note: 'budget ended (2 schedules)' });
  assert.equal(analysis(), 'partly');
  store.updateTest('a', { note: null });
  store.setVerdict('a', 's', 'unknown');
  assert.equal(analysis(), 'partly');
  store.setVerdict('a', 'r', 'unknown');
  assert.equal(analysis(), 'none', 'nothing could be judged');
});

test('the report counts what is in the store', (t) => {
  const store = fresh(t);
  store.putTests([newTest('a'), newTest('b')]);
  store.updateTest('a', { baseline: 'passed', coverage: 'analysed', tasks: 4, sharedEntities: 2 });
  store.putTrace('a', makeTrace(123));
  store.putCutPoints('a', [makeCutPoint('c')]);
  store.putSchedules('a', [makeSchedule('s', 'c'), makeSchedule('r'), makeSchedule('q')]);
  store.setVerdict('a', 's', 'infeasible');
  store.setVerdict('a', 's', 'confirmed');
  store.setVerdict('a', 'r', 'passed');
  const bug = makeBug('b1', 'a');
  store.putBug({ fingerprint: 'f', schedule: 's', report: bug });
  store.addTiming('monitor', 10);
  store.addTiming('monitor', 5);
  const none = {
    confirmed: 0,
    passed: 0,
    infeasible: 0,
    diverged: 0,
    deadlock: 0,
    unknown: 0,
    conditional: 0,
  };
  const file = 'test/a.test.ts';
  assert.deepEqual(store.report(), {
    version: 1,
    tests: [
      {
        id: 'a',
        file,
        name: 'outer > a',
        baseline: 'passed',
        coverage: 'analysed',
        analysis: 'partly',
        events: 123,
        tasks: 4,
        sharedEntities: 2,
        orders: null,
        ownProcesses: null,
        undecided: null,
        beside: [],
        partOf: null,
        cutPoints: 1,
        schedules: 3,
        left: 1,
        verdicts: { ...none, confirmed: 1, passed: 1 },
        plain: null,
        natural: null,
        peers: [],
        unseen: [],
        endless: 0,
      },
      {
        id: 'b',
        file,
        name: 'outer > b',
        baseline: null,
        coverage: null,
        analysis: 'none',
        events: 0,
        tasks: 0,
        sharedEntities: 0,
        orders: null,
        ownProcesses: null,
        undecided: null,
        beside: [],
        partOf: null,
        cutPoints: 0,
        schedules: 0,
        left: 0,
        verdicts: none,
        plain: null,
        natural: null,
        peers: [],
        unseen: [],
        endless: 0,
      },
    ],
    bugs: [bug],
    timing: { monitorMs: 15, predictMs: 0, rescheduleMs: 0 },
  });
  assert.deepEqual(store.getBug('b1'), { fingerprint: 'f', schedule: 's', report: bug });
  assert.deepEqual(store.bugs('b'), []);
});

test('a bug that breaks the schema of the report is refused', (t) => {
  const store = fresh(t);
  store.putTest(newTest('a'));
  const report = { ...makeBug('b', 'a'), reproduced: 'always' };
  assert.throws(() => store.putBug({ fingerprint: 'f', schedule: null, report }), code('invalid'));
});

test('forgetting the analysis keeps the origin', (t) => {
  const store = fresh(t);
  store.setCommand(['node', 'a.js']);
  store.putTest(newTest('a'));
  store.putTrace('a', makeTrace(100));
  store.clear();
  assert.deepEqual(store.tests(), []);
  store.putTest(newTest('a'));
  const trace = makeTrace(100);
  store.putTrace('a', trace);
  assert.deepEqual(store.getTrace('a'), trace);
  using again = openStore(store.path, { readonly: true });
  assert.deepEqual(again.meta.command, ['node', 'a.js']);
  assert.equal(again.trusted, true);
});

test('names looked up before another process cleared the store are looked up again', (t) => {
  const store = fresh(t);
  const schedule = makeSchedule('s');
  store.putTest(newTest('a'));
  store.putSchedules('a', [schedule]);
  {
    using other = openStore(store.path);
    other.clear();
    other.putTest(newTest('a'));
    other.putSchedules('a', [makeSchedule('x'), makeSchedule('y')]);
  }
  store.putSchedules('a', [schedule]);
  assert.deepEqual(store.findSchedules('s')[0]?.schedule, schedule);
});

test('names of a write that failed are not taken for stored', (t) => {
  const store = fresh(t);
  const schedule = makeSchedule('s');
  assert.throws(() => store.putSchedules('nobody', [schedule]), code('invalid'));
  store.putTest(newTest('a'));
  store.putSchedules('a', [schedule]);
  assert.deepEqual(store.schedules('a')[0]?.schedule, schedule);
});
