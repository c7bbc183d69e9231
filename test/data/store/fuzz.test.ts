/** A store whose bytes were changed: it may be read, or refused, and nothing else happens. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore, StoreError } from '../../../data/store/index.ts';
import { extent } from '../../extent.ts';
import { damage } from './damage.ts';
import {
  failed,
  folder,
  makeBug,
  makeCutPoint,
  makeSchedule,
  makeTrace,
  newTest,
  random,
} from './support.ts';

function everything(): string {
  const path = join(folder(), 'trace.db');
  using store = openStore(path, { create: true });
  store.putTest(newTest('a'));
  store.putTrace('a', makeTrace(3000));
  store.putCutPoints('a', [makeCutPoint('c')]);
  store.putSchedules('a', [makeSchedule('s', 'c')]);
  store.recordRun('a', { schedule: 's', mode: 'warm', control: false, result: failed });
  store.setVerdict('a', 's', 'confirmed');
  store.putBug({ fingerprint: 'f', schedule: 's', report: makeBug('b', 'a') });
  return path;
}

/** Uses all of a store; true if it was refused somewhere. */
function refuses(path: string): boolean {
  let refused = false;
  const attempt = (work: () => unknown): void => {
    try {
      work();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      assert.ok(!error.message.includes('\n'));
      refused = true;
    }
  };
  attempt(() => {
    using store = openStore(path);
    attempt(() => store.tests());
    attempt(() => store.getTrace('a'));
    attempt(() => store.getCutPoints('a'));
    attempt(() => store.schedules('a'));
    attempt(() => store.runs('a'));
    attempt(() => store.report());
    attempt(() => store.putTrace('a', makeTrace(10)));
  });
  return refused;
}

const ROUNDS = extent(150, 400);

test('changed bytes are refused in one line or harmless', () => {
  const path = everything();
  const bytes = readFileSync(path);
  const next = random(5);
  let refused = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const copy = Buffer.from(bytes);
    for (let flips = 1 + next(20); flips > 0; flips--) copy[next(copy.length)] = next(256);
    writeFileSync(path, copy);
    if (refuses(path)) refused++;
  }
  // A test that never met damage would say nothing.
  assert.ok(refused > ROUNDS / 4, `${refused} of ${ROUNDS}`);
});

test('overwritten pages are refused in one line or harmless', () => {
  const path = everything();
  const bytes = readFileSync(path);
  const pages = bytes.length / 4096;
  let refused = 0;
  for (let page = 0; page < pages; page++) {
    const copy = Buffer.from(bytes);
    copy.fill(page % 2 ? 0 : 0xff, page * 4096, (page + 1) * 4096);
    writeFileSync(path, copy);
    if (refuses(path)) refused++;
  }
  assert.ok(refused > pages / 3, `${refused} of ${pages}`);
});

test('changed cells and missing rows are refused in one line or harmless', () => {
  const path = everything();
  const copy = join(folder(), 'trace.db');
  const next = random(7);
  let [refused, damaged] = [0, 0];
  for (let round = 0; round < ROUNDS / 2; round++) {
    if (!damage(path, copy, next)) continue;
    damaged += 1;
    if (refuses(copy)) refused += 1;
  }
  assert.ok(damaged > ROUNDS / 2.7 && refused > damaged / 5, `${refused} of ${damaged}`);
});

test('tables that point outside each other or in circles are refused: what follows them would never end', () => {
  const trace = makeTrace(10);
  const { activations, conditions, jobs, requests } = trace;
  const path = join(folder(), 'trace.db');
  const refusal = (damaged: Partial<typeof trace>): string => {
    using store = openStore(path, { create: true });
    store.putTest(newTest('a'));
    store.putTrace('a', { ...trace, ...damaged });
    try {
      store.getTrace('a');
      return '';
    } catch (error) {
      assert.ok(error instanceof StoreError && error.code === 'corrupt');
      return error.message;
    }
  };
  const swap = <T>(list: readonly T[], at: number, change: Partial<T>): T[] =>
    list.with(at, { ...list[at]!, ...change });
  assert.equal(refusal({}), '');
  assert.match(
    refusal({ activations: swap(activations, 2, { parent: 1e6 }) }),
    /activation 2 has parent 1000000/,
  );
  assert.match(refusal({ activations: swap(activations, 1, { parent: 4 }) }), /their own ancestors/);
  assert.match(refusal({ requests: swap(requests, 3, { activation: 30 }) }), /request 3 has activation 30/);
  assert.match(refusal({ jobs: swap(jobs, 5, { condition: 7 }) }), /job 5 has .* condition 7/);
  assert.match(
    refusal({ conditions: conditions.with(1, { kind: 'delivery', request: 20 }) }),
    /condition 1 points/,
  );
  assert.match(refusal({ conditions: conditions.with(2, { kind: 'job', job: -1 }) }), /condition 2 points/);
  assert.match(refusal({ conditions: conditions.with(3, { kind: 'lock', lock: 3 }) }), /condition 3 points/);
  assert.match(refusal({ conditions: conditions.with(5, { kind: 'any', of: [7] }) }), /condition 5 points/);
  assert.match(
    refusal({ conditions: conditions.with(5, { kind: 'any', of: [4, 5] }) }),
    /wait for themselves/,
  );
});
