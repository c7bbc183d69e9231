// All that the parent does comes before its worker begins.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const total = new Int32Array(new SharedArrayBuffer(4));
  const before = total[0];
  total[0] = before + 1;
  const worker = new Worker(new URL(import.meta.url), { workerData: { total } });
  await once(worker, 'exit');
  assert.equal(total[0], 5);
} else workerData.total[0] = 5;
