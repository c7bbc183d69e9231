import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPoint } from '../../../data/prediction.ts';
import type { RunResult, StrategySpec } from '../../../data/run.ts';
import { agree, nearestPassing } from '../../../rescheduler/investigate/counterfactual.ts';
import { checkFix } from '../../../rescheduler/investigate/fix-check.ts';

const natural = ['a1', 'a2', 'b1', 'b2'];
const taskOf = (step: string): string => step[0] as string;

/** Runs an order of which only a beginning may be given, and fails where `fails` says so. */
function program(fails: (order: readonly string[]) => boolean) {
  return async (spec: StrategySpec): Promise<RunResult> => {
    assert.equal(spec.kind, 'directed');
    const steps = spec.kind === 'directed' ? spec.schedule.steps : [];
    const order = [...steps, ...natural.filter((s) => !steps.includes(s))];
    const outcome = fails(order) ? 'fail' : 'pass';
    return { outcome, followed: 'followed', steps: order } as unknown as RunResult;
  };
}
const before = (order: readonly string[], x: string, y: string): boolean =>
  order.indexOf(x) < order.indexOf(y);

test('the nearest passing order differs in the step that matters', async () => {
  const run = program((order) => before(order, 'b1', 'a2'));
  const near = await nearestPassing(['a1', 'b1', 'b2', 'a2'], natural, taskOf, run);
  assert.deepEqual(near, {
    step: 'b1',
    now: 'after',
    anchor: 'a2',
    block: false,
    steps: ['a1', 'b2', 'a2', 'b1'],
  });
});

test('where no single step helps, a step is moved with what follows of its task', async () => {
  const run = program(
    (order) => before(order, 'b1', 'a2') || before(order, 'b2', 'a2') || before(order, 'a2', 'a1'),
  );
  const near = await nearestPassing(['b1', 'b2', 'a1', 'a2'], natural, taskOf, run);
  const steps = ['a1', 'a2', 'b1', 'b2'];
  assert.deepEqual(near, { step: 'b1', now: 'after', anchor: 'a2', block: true, steps });
});

test('an order that fails nowhere else passes by one move only if the rest of it stays as it was', async () => {
  // Two pairs that came in the other order, each of which fails the test: to give one up mends nothing.
  const run = program((order) => before(order, 'a2', 'a1') || before(order, 'b2', 'b1'));
  assert.equal(await nearestPassing(['a2', 'a1', 'b2', 'b1'], natural, taskOf, run), null);
});

test('an order that could not be taken as wanted says nothing', async () => {
  const failing = ['a1', 'b1', 'b2', 'a2'];
  const run = async (spec: StrategySpec): Promise<RunResult> => ({
    ...(await program(() => false)(spec)),
    ...{ followed: 'infeasible', steps: failing },
  });
  assert.equal(await nearestPassing(failing, natural, taskOf, run), null);
});

test('none is found where every order near it fails', async () => {
  const run = program(() => true);
  assert.equal(await nearestPassing(['a1', 'b1', 'b2', 'a2'], natural, taskOf, run), null);
});

test('an order that passes once and not each time is not the nearest that passes', async () => {
  const run = program((order) => before(order, 'b1', 'a2'));
  const failing = ['a1', 'b1', 'b2', 'a2'];
  const never = () => false;
  const tried: string[] = [];
  const flaky = async ({ step }: { step: string }) => {
    tried.push(step);
    return step !== 'b1';
  };
  const near = await nearestPassing(failing, natural, taskOf, run, never, flaky);
  assert.equal(near?.step, 'a2', 'the next one that passes each time');
  const none = await nearestPassing(failing, natural, taskOf, run, never, async () => false);
  assert.equal(none, null);
});

/** Over after so many looks. */
const after = (looks: number) => () => looks-- <= 0;

test('when its time is over nothing more is run', async () => {
  let runs = 0;
  const run = async (spec: StrategySpec) => {
    runs += 1;
    return program(() => true)(spec);
  };
  assert.equal(await nearestPassing(['a1', 'b1', 'b2', 'a2'], natural, taskOf, run, after(2)), null);
  assert.equal(runs, 2);
});

test('a fix is judged by the orders that there was time for', async () => {
  const check = (looks: number) =>
    checkFix([point('x')], [], [['1'], ['2'], ['3']], guarded('none'), after(looks));
  assert.deepEqual(await check(2), { ok: 2, of: 2, entity: 'x' });
  assert.equal(await check(0), null);
});

const point = (entity: string): CutPoint => ({ entity }) as unknown as CutPoint;
/** Fails unless the spans of `x` are kept whole; the second order fails whatever is done. */
const guarded =
  (hopeless: string) =>
  async (spec: StrategySpec): Promise<RunResult> => {
    assert.equal(spec.kind, 'atomic');
    const whole = spec.kind === 'atomic' && spec.cutPoints.some(({ entity }) => entity === 'x');
    const lost = spec.kind === 'atomic' && spec.steps[0] === hopeless;
    return { outcome: whole && !lost ? 'pass' : 'fail' } as unknown as RunResult;
  };

test('the entity whose spans matter is found behind a bystander', async () => {
  const check = await checkFix([point('y'), point('x')], [], [['1'], ['2']], guarded('none'));
  assert.deepEqual(check, { ok: 2, of: 2, entity: 'x' });
});

test('where nothing helps every failing order, the first entity says so', async () => {
  const check = await checkFix([point('x'), point('y')], [], [['1'], ['2']], guarded('2'));
  assert.deepEqual(check, { ok: 1, of: 2, entity: 'x' });
  assert.equal(await checkFix([], [], [['1']], guarded('none')), null);
});

test('an order that was left before the last effect of a request agrees with the whole one', () => {
  assert.ok(agree(['E:a', 'D:t'], ['E:a', 'D:t', 'E:a', 'D:a']));
  assert.ok(agree(['E:a', 'D:t'], ['E:a', 'E:a', 'D:t']));
  assert.ok(!agree(['D:t', 'E:a', 'E:a'], ['E:a', 'E:a', 'D:t']));
});
