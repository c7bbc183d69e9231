// Each worker is handed an array as its `workerData`, and nothing else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const words = new Int32Array(new SharedArrayBuffer(4));
  const start = () => new Worker(new URL(import.meta.url), { workerData: words });
  await Promise.all([start(), start()].map((worker) => once(worker, 'exit')));
  assert.equal(words[0], 2);
} else workerData[0]++;
