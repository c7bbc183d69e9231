/** Threads that run side by side, only to be recorded. */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readStd } from '../../../data/threads/std-reader.ts';
import { stdLines } from '../../../data/threads/std-writer.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { forced } from '../../../predictor/threads/schedules.ts';
import { loadAllThreads } from '../../harnesses/all.ts';
import { Bundled, predicted } from './bundled.ts';

/** Every kind of lock, waits and notifications, hand-made spin loops, many locks at once. */
const PROGRAMS = [
  ...['bank/ok', 'circular-buffer/ok', 'elevator', 'file-system/ok', 'lite-event/ok', 'matrix'],
  ...['philosophers/ok', 'stringbuffer/ok', 'token-ring/ok', 'tsp', 'work-stealing queue ok'],
];

const loaded = await loadAllThreads();
const bundled = new Bundled();
after(() => bundled.close());

function fileOf(harness: string): URL {
  return loaded.find(({ harnesses }) => harnesses.some(({ name }) => name === harness))!.file;
}

/** The trace of a run that passes; one of a racy program may fail by itself. */
async function recorded(harness: string): Promise<ThreadTrace> {
  for (;;) {
    const { ran, trace } = await bundled.run(fileOf(harness), harness, { kind: 'free' }, true);
    if (ran.outcome === 'pass') return trace!;
    assert.equal(ran.outcome, 'fail');
  }
}

describe('a recording without control', () => {
  for (const name of PROGRAMS)
    it(`of ${name} has its locks and messages in a possible order`, async () => {
      const trace = await recorded(name);
      // The reader refuses what no execution can be.
      const again = readStd(stdLines(trace));
      assert.equal(again.events.length, trace.events.length);
      assert.equal(new Set(trace.events.thread).size, trace.names.threads.length);
    });

  it('is enough to predict a failure from, which is forced under control', async () => {
    const trace = await recorded('account/bad');
    const outcomes = new Set<string>();
    for (const cutPoint of predicted(trace)) {
      const spec = { kind: 'directed', schedule: forced(trace, cutPoint) } as const;
      outcomes.add((await bundled.run(fileOf('account/bad'), 'account/bad', spec)).ran.outcome);
    }
    assert.ok(outcomes.has('fail'));
  });
});
