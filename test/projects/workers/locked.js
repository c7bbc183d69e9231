// Two workers add to a total, each under a lock of the program's own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { SpinLock } from './spin-lock.js';

if (isMainThread) {
  const word = new Int32Array(new SharedArrayBuffer(4));
  const total = new Int32Array(new SharedArrayBuffer(4));
  const start = () => new Worker(new URL(import.meta.url), { workerData: { word, total } });
  await Promise.all([start(), start()].map((worker) => once(worker, 'exit')));
  assert.equal(total[0], 2);
} else {
  const lock = new SpinLock(workerData.word);
  const { total } = workerData;
  lock.lock();
  const before = total[0];
  total[0] = before + 1;
  lock.unlock();
}
