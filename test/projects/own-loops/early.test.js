import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { Worker } from 'node:worker_threads';

// Older than the test.
const adder = new Worker(
  `require('node:worker_threads').parentPort.on('message', (words) => {
    Atomics.add(words, 0, 1);
    require('node:worker_threads').parentPort.postMessage('done');
  });`,
  { eval: true },
);
adder.unref();
after(() => adder.terminate());

test('adds', async () => {
  const words = new Int32Array(new SharedArrayBuffer(4));
  adder.postMessage(words);
  await once(adder, 'message');
  assert.equal(words[0], 1);
});
