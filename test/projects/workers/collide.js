import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const memory = new SharedArrayBuffer(16);
  const workers = [1, 2].map(() => new Worker(new URL(import.meta.url), { workerData: memory }));
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  assert.equal(new Int32Array(memory)[0], 2);
} else {
  const total = new Int32Array(workerData);
  const before = total[0];
  // Free threads collide here nearly always.
  for (const until = Date.now() + 200; Date.now() < until; );
  total[0] = before + 1;
}
