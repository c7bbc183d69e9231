/** A program point that has said enough goes quiet, and is reported. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { runtime } from '../../../monitor/runtime/index.ts';
import { RECORD_BUDGET } from '../../../monitor/runtime/points.ts';
import { watch } from '../instrument/helpers.ts';

suite('record budget', () => {
  test('a loop is recorded up to the budget', async () => {
    const { events, points } = await watch(
      `const o = { n: 0 }; for (let i = 0; i < ${RECORD_BUDGET + 50}; i++) o.n = i; o.n = -1`,
    );
    assert.equal(events.length, RECORD_BUDGET + 1);
    assert.notEqual(points.at(-1), points.at(-2));
    assert.deepEqual(
      runtime.saturated().map((site) => runtime.siteInfo(site)!.text),
      ['o.n'],
    );
  });

  test('every run has a full budget', async () => {
    const body = `const o = { n: 0 }; for (let i = 0; i < ${RECORD_BUDGET + 50}; i++) o.n = i`;
    assert.equal((await watch(body)).events.length, (await watch(body)).events.length);
  });

  test('without a sink nothing is spent', async () => {
    await watch('const o = { n: 1 }; o.n++');
    assert.equal(runtime.sink, null);
    const { events } = await watch('const o = { n: 1 }; o.n++');
    assert.equal(events.length, 2);
  });
});
