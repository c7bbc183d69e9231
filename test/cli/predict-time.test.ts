/** Of the time for a whole run prediction gets a part: what it had no time for is told, and what it found is forced. */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generatedTrace } from '../../bench/lib/trace.ts';
import type { StageContext } from '../../cli/stages/context.ts';
import { predictStage } from '../../cli/stages/predict.ts';
import { openStore } from '../../data/store/index.ts';
import { temporary } from '../temporary.ts';

/** Two tests are predicted in so many ms, of which each look at the clock takes one: their notes, and what is left of the time. */
async function predicted(t: TestContext, ms: number) {
  let now = 0;
  t.mock.method(performance, 'now', () => ++now);
  const dir = temporary('unweave-predict');
  try {
    using store = openStore(join(dir, 'trace.db'), { create: true, cwd: dir });
    for (const id of ['one', 'two']) {
      store.putTest({ id, file: 'a.js', name: id, ordinal: 0, kind: 'node-test', recipe: {} });
      store.updateTest(id, { baseline: 'passed', coverage: 'analysed' });
      store.putTrace(id, generatedTrace(500));
    }
    const context = {
      ...{ store, over: false, options: { maxStallMs: 1000, maxPauseMs: 50 }, assumptions: {} },
      ...{ predictions: new Map(), reordered: new Map(), tell() {} },
      get left() {
        return ms - now;
      },
    };
    await predictStage(context as unknown as StageContext);
    const notes = store.tests().map(({ note, predicted }) => (predicted ? note : 'not predicted'));
    return { notes, left: context.left };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

test('all the time there is', async (t) => {
  assert.deepEqual((await predicted(t, Number.POSITIVE_INFINITY)).notes, [null, null]);
});

test('what is found within the part of each is kept, and half of the time is for forcing it', async (t) => {
  const { notes, left } = await predicted(t, 1000);
  assert.deepEqual(notes, Array(2).fill('budget ended (prediction)'));
  assert.ok(left >= 450, String(left));
});
