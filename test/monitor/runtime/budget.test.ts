/** A program point that has said enough goes quiet, and is reported. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runtime } from '../../../monitor/runtime/index.ts';
import { RECORD_BUDGET, STRETCH_BUDGET } from '../../../monitor/runtime/points.ts';
import { watch } from '../instrument/helpers.ts';

const LOOP = 'const o = { n: 0 }; const run = () => { for (let i = 0; i < 300; i++) o.n = i };';

suite('record budget', () => {
  test('a loop is recorded up to the budget of a stretch', async () => {
    const { events, points } = await watch(`${LOOP} run(); o.n = -1`);
    assert.equal(events.length, STRETCH_BUDGET + 1);
    assert.notEqual(points.at(-1), points.at(-2));
    assert.deepEqual(
      runtime.saturated().map((site) => runtime.siteInfo(site)!.text),
      ['o.n'],
    );
  });

  test('after a suspension it is recorded again', async () => {
    const { events } = await watch(`${LOOP} run(); await null; run()`);
    assert.equal(events.length, 2 * STRETCH_BUDGET);
    assert.equal(runtime.saturated().length, 1);
  });

  test('until the budget of the run is spent', async () => {
    const { events } = await watch(`${LOOP} for (let i = 0; i < 20; i++) { run(); await null }`);
    assert.equal(events.length, RECORD_BUDGET);
  });

  test('every run has a full budget', async () => {
    const body = `${LOOP} run()`;
    assert.equal((await watch(body)).events.length, (await watch(body)).events.length);
  });

  test('without a sink nothing is spent', async () => {
    await watch('const o = { n: 1 }; o.n++');
    assert.equal(runtime.sink, null);
    const { events } = await watch('const o = { n: 1 }; o.n++');
    assert.equal(events.length, 2);
  });
});
