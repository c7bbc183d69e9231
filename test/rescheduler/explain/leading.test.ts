/** Which accesses lead is decided by the failure's own order and those of its explanations. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPoint, Schedule } from '../../../data/prediction.ts';
import { NOTHING_ASSUMED, type RunResult, type StrategySpec } from '../../../data/run.ts';
import { type Choosing, leadingPoints, mending } from '../../../rescheduler/explain/leading.ts';
import { isNamedBy } from '../../../rescheduler/explain/points.ts';
import { plainFailure } from '../../../rescheduler/failure.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import { withoutAnswer } from '../../../rescheduler/subjects/no-answer.ts';

const lost = (steps: string): RunResult => ({
  ...withoutAnswer('fail', plainFailure('assertion', 'Lost', 'x'), 1),
  steps: [steps],
});
const passed: RunResult = {
  ...lost('-'),
  outcome: 'pass',
  failure: null,
  followed: 'followed',
  patternSeen: true,
};

const place = { at: 'a.ts:1:1', access: 'read', request: null };
const point = (id: string, entity: string): CutPoint =>
  ({
    id,
    entity,
    pattern: 'RWW',
    rank: 1,
    first: place,
    remote: place,
    second: place,
  }) as unknown as CutPoint;
const order = (id: string, cutPoint: string | null): Schedule => ({
  ...{ id, cutPoint, steps: [id], moves: 0, switches: 0, stallMs: 0 },
});
const finding = (cutPoint: CutPoint | null): Finding => ({
  origin: cutPoint ? 'directed' : 'random',
  schedule: order('met', cutPoint?.id ?? null),
  ...{ steps: [], cutPoint, result: lost('own'), assumed: NOTHING_ASSUMED },
  confirmation: { confirmed: true, result: lost('own'), reproduced: 3, control: 3, times: 3 } as never,
  ...{ schedulesUntilFound: 1, orders: [['own']], variants: [] },
});

const [flag, file] = [point('c1', 'flag'), point('c2', 'file')];

const TURNED = { entity: 'results', first: file.first, second: file.second };

/** Predicted orders fail as `fails` says; the orders of `mended` pass when their spans are kept whole. */
const choosing = (
  fails: readonly string[],
  mended: Readonly<Record<string, readonly string[]>>,
): Choosing => ({
  predicted: [flag, file],
  schedules: [{ schedule: order('s1', 'c1') }, { schedule: order('s2', 'c2') }],
  turned: TURNED,
  widen: () => [],
  pairs: () => [],
  keepsOut: () => false,
  isUnread: () => false,
  distance: () => 1,
  isOver: () => false,
  run: async (spec: StrategySpec) => {
    if (spec.kind === 'directed') return fails.includes(spec.schedule.id) ? lost(spec.schedule.id) : passed;
    assert.ok(spec.kind === 'atomic');
    const entity = spec.cutPoints[0]!.entity;
    return mended[entity]?.includes(spec.steps[0]!) ? passed : lost('-');
  },
});

test('what was seen in an order of its own that passes does not lead, though no search came to that order', async () => {
  const means = choosing(['s2'], { flag: ['own', 's2'], file: ['own', 's2'] });
  const { points, fix } = await leadingPoints(finding(null), [flag, file], means);
  assert.deepEqual(points, [file]);
  assert.deepEqual(fix, { ok: 2, of: 2, entity: 'file' });
});

test('what nobody looks at gives way to what is read, and is judged where there is nothing else', async () => {
  const means = choosing(['s1', 's2'], { flag: ['own', 's1', 's2'], file: ['own', 's2'] });
  const unread = { ...means, isUnread: ({ entity }: CutPoint) => entity === 'flag' };
  assert.deepEqual((await leadingPoints(finding(null), [flag, file], unread)).points, [file]);
  assert.deepEqual((await leadingPoints(finding(null), [flag], unread)).points, [flag]);
});

test('where no span could be kept whole nothing speaks against what was told', async () => {
  const means = choosing(['s2'], {});
  const crowded = {
    ...means,
    run: async (spec: StrategySpec) => {
      const result = await means.run(spec);
      return spec.kind === 'atomic' ? { ...result, followed: 'diverged' as const } : result;
    },
  };
  const met = await leadingPoints(finding(file), [file], crowded);
  assert.deepEqual([met.points, met.fix], [[file], null]);
  assert.deepEqual((await leadingPoints(finding(null), [file], crowded)).points, [file]);
});

test('nor does what is told of an order that was predicted for something else', async () => {
  const means = choosing([], { flag: ['own'] });
  const { points } = await leadingPoints(finding(file), [flag], means);
  assert.deepEqual(points, []);
});

test('of several the one leads whose spans mend all orders of theirs', async () => {
  const means = choosing(['s1', 's2'], { flag: ['own'], file: ['own', 's1', 's2'] });
  const { points } = await leadingPoints(finding(null), [flag, file], means);
  assert.deepEqual(points, [file, flag]);
});

test('an explanation that mends other orders than the one that was met stays', async () => {
  const means = choosing(['s2'], { file: ['s2'] });
  const { points, fix } = await leadingPoints(finding(null), [file], means);
  assert.deepEqual([points, fix], [[file], { ok: 1, of: 2, entity: 'file' }]);
});

test('one that mends none goes where nothing was predicted', async () => {
  const { points, fix } = await leadingPoints(finding(null), [file], choosing(['s2'], {}));
  assert.deepEqual([points, fix], [[], null]);
});

test('two variables lead where one alone mends nothing, and the span from the one to the other does', async () => {
  const both = { ...point('c4', 'flag'), other: { entity: 'file', remote: file.remote } };
  const means = { ...choosing(['s1'], { flag: ['own'] }), pairs: () => [both] };
  const { points, fix } = await leadingPoints(finding(null), [], means);
  assert.deepEqual([points, fix], [[both], { ok: 1, of: 1, entity: 'flag' }]);
  assert.deepEqual(
    (await leadingPoints({ ...finding(null), orders: [['own'], ['met']] }, [], means)).points,
    [],
  );
  const alone = { ...choosing(['s2'], { flag: ['own'], file: ['own', 's2'] }), pairs: () => [both] };
  assert.deepEqual((await leadingPoints(finding(null), [file], alone)).points, [file]);
});

test('two variables lead where one alone says that a lock was held, if they mend all orders', async () => {
  const both = { ...point('c4', 'flag'), other: { entity: 'file', remote: file.remote } };
  const held = { ...choosing(['s2'], { flag: ['own'], file: ['own', 's2'] }), keepsOut: () => true };
  assert.deepEqual((await leadingPoints(finding(file), [file], { ...held, pairs: () => [both] })).points, [
    both,
  ]);
  // Else the order of two accesses is told, where there is one.
  assert.deepEqual((await leadingPoints(finding(file), [file], held)).points, []);
  const silent = { ...held, turned: null };
  assert.deepEqual((await leadingPoints(finding(file), [file], silent)).points, [file]);
});

test('what came in the other order is told where the failure depends on that, and not on what was predicted', async () => {
  const choose = async (distance: Choosing['distance']) =>
    (await leadingPoints(finding(file), [file], { ...choosing([], { file: ['own'] }), distance })).points;
  const ofResults = (entity: string): number => (entity === 'results' ? 0 : Number.POSITIVE_INFINITY);
  assert.deepEqual(await choose(ofResults), []);
  assert.deepEqual(await choose(() => 0), [file], 'it is looked at, too');
  assert.deepEqual(await choose(() => Number.POSITIVE_INFINITY), [file], 'nothing is known');
});

test('one that the error itself is about stays where a single order says that it mends none', async () => {
  const failure = plainFailure('exception', 'Error', "EEXIST: file already exists, mkdir '/tmp/x-1/log'");
  const log = point('c3', 'fs:*/log');
  const named = { ...finding(null), result: { ...lost('own'), failure } };
  const { points, fix } = await leadingPoints(named, [log], choosing([], {}));
  assert.deepEqual([points, fix], [[log], { ok: 0, of: 1, entity: 'fs:*/log' }]);
  const more = { ...named, orders: [['own'], ['met']] };
  assert.deepEqual((await leadingPoints(more, [log], choosing([], {}))).points, []);
});

test('an error of the host names the path or the port that it is about', () => {
  const isNamed = (message: string, entity: string): boolean =>
    isNamedBy({ ...lost('own'), failure: plainFailure('exception', 'Error', message) }, entity);
  const missing = "ENOENT: no such file or directory, rename '/tmp/a-1/b.tmp' -> '/tmp/a-1/b'";
  for (const entity of ['fs:*/b', 'fs:*/b.tmp', 'fs:/tmp/a-1/b (content)'])
    assert.equal(isNamed(missing, entity), true, entity);
  for (const entity of ['fs:*/c', 'fs:*', 'port #1', 'Account#b'])
    assert.equal(isNamed(missing, entity), false, entity);
  assert.equal(isNamed("'/tmp/a-1/b' is not what was expected", 'fs:*/b'), false, 'no error of the host');
  assert.equal(isNamed('listen EADDRINUSE: address already in use :::8080', 'port #1'), true);
});

test('what was predicted and came true takes no further run to be chosen', async () => {
  const ran: string[] = [];
  const means = choosing([], { file: ['own'] });
  const run = async (spec: StrategySpec) => {
    ran.push(spec.kind);
    return means.run(spec);
  };
  const { points } = await leadingPoints(finding(file), [file], { ...means, run });
  assert.deepEqual(points, [file]);
  assert.deepEqual(ran, ['atomic']);
});

/** Triples on one entity: a check whose answer was old, and a value read back that another one wrote over. */
const later = { ...place, at: 'a.ts:2:1' } as unknown as CutPoint['second'];
const check = { ...point('c3', 'flag'), second: later };
const back = { ...point('c4', 'flag'), pattern: 'WWR' as const, second: later };
const orders = [['one'], ['other']];
/** Orders pass when the spans of these triples are kept whole. */
const mendedBy = (mended: Readonly<Record<string, readonly string[]>>) => ({
  isOver: () => false,
  run: async (spec: StrategySpec) => {
    assert.ok(spec.kind === 'atomic');
    return spec.cutPoints.some(({ id }) => mended[spec.steps[0]!]?.includes(id)) ? passed : lost('-');
  },
});

test('a fix is said to be checked of the triple that is told, and another one leads where that one mends', async () => {
  const known = [check, back];
  const how = mendedBy({ one: ['c3', 'c4'], other: ['c4'] });
  const told = await mending(finding(check), [check, back], known, orders, how);
  assert.deepEqual(told, { points: [back, check], fix: { ok: 2, of: 2, entity: 'flag' } });
});

test('where no triple mends all orders by itself, what the first one mends is said', async () => {
  const known = [check, back];
  const told = await mending(
    finding(check),
    [check, back],
    known,
    orders,
    mendedBy({ one: ['c3'], other: ['c4'] }),
  );
  assert.deepEqual(told, { points: [check, back], fix: { ok: 1, of: 2, entity: 'flag' } });
});

test('the same defect seen from the other task is kept whole with it', async () => {
  const other = { ...check, id: 'c5' };
  const how = mendedBy({ one: ['c3'], other: ['c5'] });
  const told = await mending(finding(check), [check], [check, other], orders, how);
  assert.deepEqual(told.fix, { ok: 2, of: 2, entity: 'flag' });
});

test('the call that ends the span is kept whole with it, and leads in place of nothing', async () => {
  const call = { ...point('c6', 'flag'), pattern: 'WRW' as const, first: later, second: later };
  const how = mendedBy({ one: ['c3'], other: ['c6'] });
  const told = await mending(finding(check), [check, call], [check, call], orders, how);
  assert.deepEqual(told, { points: [check, call], fix: { ok: 2, of: 2, entity: 'flag' } });
  const alone = await mending(
    finding(check),
    [check, call],
    [check, call],
    orders,
    mendedBy({ other: ['c6'] }),
  );
  assert.deepEqual(alone.points, [check, call]);
});
