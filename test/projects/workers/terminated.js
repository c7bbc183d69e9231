// A worker that never ends by itself is terminated.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker, isMainThread, workerData, parentPort } from 'node:worker_threads';
if (isMainThread) {
  const m = new Int32Array(new SharedArrayBuffer(16));
  const w = new Worker(new URL(import.meta.url), { workerData: m });
  await once(w, 'message');
  m[1] = 5;
  await w.terminate();
  assert.equal(m[0], 1);
} else {
  workerData[0] = 1;
  parentPort.postMessage('up');
  Atomics.wait(workerData, 2, 0);
}
