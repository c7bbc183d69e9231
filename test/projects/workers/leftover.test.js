// The case fails, and the worker that it has started waits for messages for ever.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { Worker } from 'node:worker_threads';

test('fails', async () => {
  const source = "require('node:worker_threads').parentPort.on('message', () => {}).postMessage('here');";
  await once(new Worker(source, { eval: true }), 'message');
  assert.fail('and leaves a worker');
});
