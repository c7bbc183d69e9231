import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Context } from '../../cli/stages/context.ts';
import { recordThreads } from '../../cli/stages/threads/monitor.ts';
import { openStore } from '../../data/store/index.ts';

test('a program that is over before its threads were looked at is listed once, a harness that was not run is', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'unweave-rows-'));
  try {
    using store = openStore(join(dir, 'trace.db'), { create: true, cwd: dir });
    const subject = (kind: string, id: string) => ({ kind, id, file: 'a.js', name: id, source: null });
    const threads = new Map([['h', subject('threads', 'h')]]);
    const addPrograms = (): void => void threads.set('p', subject('node-test', 'p'));
    const context = { addPrograms, store, threads, over: true, options: {} };
    await recordThreads(context as unknown as Context);
    assert.deepEqual(
      store.tests().map(({ id }) => id),
      ['h'],
    );
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});
