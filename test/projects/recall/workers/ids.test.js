// Identifiers for documents, given out by worker threads.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAll } from './pool.js';

async function allocated(repaired) {
  const next = new Int32Array(new SharedArrayBuffer(4));
  const ids = await runAll('./ids.worker.js', [{ next, repaired }, { next, repaired }]);
  assert.equal(new Set(ids.flat()).size, 4);
}

test('racy', () => allocated(false));
test('repaired', () => allocated(true));
