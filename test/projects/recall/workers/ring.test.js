// Workers take thumbnails to make from one list, until it is empty.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runAll } from './pool.js';

async function made(repaired) {
  const head = new Int32Array(new SharedArrayBuffer(4));
  const jobs = ['a.png', 'b.png', 'c.png'];
  const done = await runAll('./ring.worker.js', [1, 2].map(() => ({ head, jobs, repaired })));
  assert.deepEqual(done.flat().toSorted(), jobs);
}

test('racy', () => made(false));
test('repaired', () => made(true));
