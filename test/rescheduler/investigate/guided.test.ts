/** Search that is guided by what is new, on orders without a program, and on one with a program that chance does not get through. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEFAULT_LIMITS } from '../../../data/run.ts';
import { predict } from '../../../predictor/predict.ts';
import { Guided } from '../../../rescheduler/investigate/guided.ts';
import { investigate } from '../../../rescheduler/investigate/investigate.ts';
import { LoopOrders } from '../../../rescheduler/investigate/loop-orders.ts';
import { discoverHarnesses } from '../../../rescheduler/subjects/discover.ts';

const natural = ['E:a', 'D:a', 'E:b', 'D:b', 'E:c', 'D:c'];
const seeds = Array.from({ length: 200 }, (_, seed) => seed);

test('without news orders begin as the observed one, or are it with one step later', () => {
  const guided = new Guided(natural);
  const nexts = seeds.map((seed) => guided.next(seed));
  assert.equal(guided.hasNews, false);
  assert.ok(nexts.some((steps) => steps.length === 0) && nexts.some((steps) => steps.length === 5));
  for (const steps of nexts)
    if (steps.length < natural.length) assert.deepEqual(steps, natural.slice(0, steps.length));
    else assert.deepEqual(steps.toSorted(), natural.toSorted());
  assert.ok(nexts.some((steps) => steps.length === natural.length && steps.join() !== natural.join()));
});

test('an order with a request that is new is begun again, and left where that came', () => {
  const guided = new Guided(natural);
  guided.look({ outcome: 'pass', steps: natural });
  assert.equal(guided.hasNews, false);
  const order = ['E:a', 'E:b', 'D:b', 'E:retry', 'D:a', 'D:retry'];
  guided.look({ outcome: 'fail', steps: order });
  assert.equal(guided.hasNews, false, 'what failed is found');
  guided.look({ outcome: 'pass', steps: order });
  assert.equal(guided.hasNews, true);
  const begun = seeds.map((seed) => guided.next(seed).join()).filter((steps) => steps === 'E:a,E:b,D:b');
  assert.ok(begun.length > 20, `${begun.length}`);
});

test('what came before is new together with something else, and not again', () => {
  const guided = new Guided(natural);
  const look = (...steps: string[]): void => guided.look({ outcome: 'pass', steps });
  const begun = (steps: string): boolean => seeds.some((seed) => guided.next(seed).join() === steps);
  look('E:r1', ...natural);
  look(...natural, 'E:r2');
  assert.equal(begun('E:r1,E:a,E:b,E:c'), false);
  look('E:r1', 'E:a', 'E:b', 'E:c', 'E:r2');
  assert.equal(begun('E:r1,E:a,E:b,E:c'), true);
  const before = JSON.stringify(guided);
  look('E:r2', 'E:a', 'E:r1');
  assert.equal(JSON.stringify(guided), before);
});

test('a race behind an error path two levels deep is found by what is predicted of what is new, not by chance', async () => {
  const file = fileURLToPath(new URL('fixtures/two-levels.ts', import.meta.url));
  const [subject] = await discoverHarnesses([file], { cwd: fileURLToPath(new URL('.', import.meta.url)) });
  assert.ok(subject);
  const limits = { limits: DEFAULT_LIMITS };
  const ofLoop = { loop: DEFAULT_LIMITS };
  const { trace } = await subject.record(limits);
  const search = async (strategy: string, maxSchedules: number): Promise<number | undefined> => {
    const enough = new AbortController();
    const how = { strategy, maxSchedules, seed: 1, isDeep: true };
    const orders = new LoopOrders(trace.steps, predict(trace, ofLoop), {
      ...how,
      predict: (recorded) => predict(recorded, ofLoop),
    });
    const { findings } = await investigate(
      {
        execute: (spec) => subject.execute(spec, limits),
        executeFresh: (spec) => subject.execute(spec, limits),
        record: (spec) => subject.record(limits, spec),
      },
      orders,
      {
        ...{ maxSchedules, maxTimeMs: 60_000, confirm: 1, signal: enough.signal },
        judged: (_, verdict) => verdict === 'confirmed' && enough.abort(),
      },
    );
    return findings[0]?.schedulesUntilFound;
  };
  try {
    const found = await search('directed', 300);
    assert.ok(found !== undefined && found <= 150, `${found}`);
    assert.equal(await search('random', 130), undefined);
  } finally {
    await subject.close();
  }
});
