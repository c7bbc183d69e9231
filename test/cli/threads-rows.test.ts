import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { StageContext } from '../../cli/stages/context.ts';
import { recordThreads } from '../../cli/stages/threads/monitor.ts';
import { openStore } from '../../data/store/index.ts';
import { temporary } from '../temporary.ts';

/** What is known of the threads of the first test: they touched nothing before they were given up, and computed rather than waited. */
for (const [isUntouched, hasSpun] of [
  [false, true],
  [true, false],
  [true, true],
])
  test(`a file whose threads do not come to rest is waited for once, and its tests are blind${isUntouched && hasSpun ? ' but where they only computed' : ''} (${isUntouched}, ${hasSpun})`, async () => {
    const dir = temporary('unweave-rows');
    try {
      using store = openStore(join(dir, 'trace.db'), { create: true, cwd: dir });
      const runs: [string, number][] = [];
      const threadsOf = (id: string) => ({
        ...{ kind: 'node-test', id: `${id} (threads)`, file: 'a.js', name: id, source: null },
        execute: async (_: unknown, { watchdogMs }: { watchdogMs: number }) => {
          runs.push([id, watchdogMs]);
          const failure = { kind: 'timeout', name: 'Timeout', message: '', stack: '', fingerprint: '' };
          return {
            ran: { outcome: 'unknown', failure, ungated: {} },
            trace: null,
            isUntouched,
            hasSpun,
          };
        },
        close: async () => {},
      });
      const tasks = ['one', 'two'].map((id) => ({ id, threads: threadsOf(id) }));
      const row = { file: 'a.js', ordinal: 0, kind: 'node-test', recipe: {} } as const;
      store.putTests(tasks.map(({ id }) => ({ ...row, id, name: id })));
      for (const { id } of tasks) store.updateTest(id, { baseline: 'passed', coverage: 'analysed' });
      // What was recorded of their event loops.
      store.getUngated = () => ({ Worker: 2 });
      const notes = new Map<string, { restless?: number }>();
      const context = {
        ...{ store, notes, over: false, options: {}, threads: new Map(), tell() {} },
        recordedMs: new Map([['one', 300]]),
        threadExecution: { watchdogMs: 60_000 },
        note: (id: string, more: object) => notes.set(id, { ...notes.get(id), ...more }),
        attemptInRest: (work: (rest: unknown) => Promise<void>) => work(context),
        addPrograms(wanted: (task: object, threads: object) => boolean) {
          for (const { id, threads } of tasks) {
            wanted({ id }, threads);
            this.threads.set(threads.id, threads);
          }
        },
      };
      await recordThreads(context as unknown as StageContext);
      assert.deepEqual(runs, [['one', 6000]]);
      assert.deepEqual(
        tasks.map(({ id }) => notes.get(id)?.restless),
        [1, 1],
      );
      assert.deepEqual(
        store.tests().map(({ id, beside }) => [id, beside]),
        ['one', 'two'].map((id) => [
          id,
          isUntouched && hasSpun && id === 'one'
            ? []
            : [{ processes: ['2 workers'], shared: [], blind: true, within: false }],
        ]),
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });

test('a program that is over before its threads were looked at is listed once, a harness that was not run is', async () => {
  const dir = temporary('unweave-rows');
  try {
    using store = openStore(join(dir, 'trace.db'), { create: true, cwd: dir });
    const subject = (kind: string, id: string) => ({ kind, id, file: 'a.js', name: id, source: null });
    const threads = new Map([['h', subject('threads', 'h')]]);
    const addPrograms = (): void => void threads.set('p', subject('node-test', 'p'));
    const context = { addPrograms, store, threads, over: true, options: {} };
    await recordThreads(context as unknown as StageContext);
    assert.deepEqual(
      store.tests().map(({ id }) => id),
      ['h'],
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
