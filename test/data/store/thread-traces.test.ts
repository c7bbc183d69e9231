import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore, StoreError } from '../../../data/store/index.ts';
import { collect } from '../../../data/store/thread-traces.ts';
import type { ThreadCutPoint } from '../../../data/threads/cut-point.ts';
import { StdReader } from '../../../data/threads/std-reader.ts';
import { folder, random } from './support.ts';

const line = (i: number): string => `T${i % 3}|${i % 2 ? 'w' : 'r'}(x${i % 7})|${i % 11}\n`;
const text = (length: number): string => Array.from({ length }, (_, i) => line(i)).join('');

const CUT_POINT: ThreadCutPoint = {
  pattern: 'RWW',
  entity: 'x0',
  first: 0,
  remote: 7,
  second: 21,
  completes: true,
  alike: 3,
  rank: 4.5,
  reasons: ['read, then written by both (+3)'],
  observed: 0,
  schedule: Int32Array.of(0, 7, 21),
  reduced: Int32Array.of(7, 0, 21),
  switches: { before: 2, after: 1 },
};

test('what is put is read back, whatever the sizes of the chunks', () => {
  using store = openStore(join(folder(), 'trace.db'), { create: true });
  for (const length of [1, 65_536, 150_000]) {
    const wanted = new StdReader([text(length)]);
    // Each chunk is overwritten by the next: copied as it comes.
    const events = Array.from(wanted.chunks(), ({ op, object, point, thread }) => [
      [...op],
      [...object],
      [...point],
      [...thread],
    ]);
    store.putThreadTrace('a', new StdReader([text(length)]));
    const stored = store.getThreadTrace('a')!;
    assert.equal(stored.counts.events, length);
    assert.deepEqual(stored.names(), wanted.names);
    const { op, object, point, thread } = collect(stored);
    for (const [at, column] of [op, object, point, thread].entries())
      assert.deepEqual(
        [...column],
        events.flatMap((chunk) => chunk[at]!),
      );
  }
  assert.deepEqual(store.threadTraceNames(), ['a']);
  assert.equal(store.getThreadTrace('b'), null);
});

test('cut points with their schedules are read back, and go with their trace', () => {
  using store = openStore(join(folder(), 'trace.db'), { create: true });
  store.putThreadTrace('a', new StdReader([text(30)]));
  store.putThreadCutPoints('a', [CUT_POINT, { ...CUT_POINT, completes: false, observed: 30 }]);
  assert.deepEqual(store.getThreadCutPoints('a'), [
    CUT_POINT,
    { ...CUT_POINT, completes: false, observed: 30 },
  ]);
  store.putThreadTrace('a', new StdReader([text(30)]));
  assert.deepEqual(store.getThreadCutPoints('a'), []);
  assert.throws(() => store.putThreadCutPoints('b', []), StoreError);
});

test('a source that fails leaves what was stored before', () => {
  using store = openStore(join(folder(), 'trace.db'), { create: true });
  store.putThreadTrace('a', new StdReader([text(30)]));
  assert.throws(() => store.putThreadTrace('a', new StdReader([`${text(30)}junk\n`])), /line 31/);
  assert.equal(store.getThreadTrace('a')?.counts.events, 30);
});

test('changed bytes are refused in one line or harmless', () => {
  const path = join(folder(), 'trace.db');
  {
    using store = openStore(path, { create: true });
    store.putThreadTrace('a', new StdReader([text(20_000)]));
    store.putThreadCutPoints('a', [CUT_POINT]);
  }
  const bytes = readFileSync(path);
  const next = random(6);
  let refused = 0;
  for (let round = 0; round < 200; round++) {
    const copy = Buffer.from(bytes);
    for (let flips = 1 + next(10); flips > 0; flips--) copy[next(copy.length)] = next(256);
    writeFileSync(path, copy);
    try {
      using store = openStore(path);
      const trace = store.getThreadTrace('a');
      if (trace) {
        collect(trace);
        trace.names();
      }
      store.getThreadCutPoints('a');
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      assert.ok(!error.message.includes('\n'));
      refused += 1;
    }
  }
  assert.ok(refused > 50, `${refused} of 200`);
});
