// Who has waited longest is notified first.
import assert from 'node:assert/strict';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const word = new Int32Array(new SharedArrayBuffer(4));
  const waiters = ['first', 'second'].map((name) => Atomics.waitAsync(word, 0, 0).value.then(() => name));
  const worker = new Worker(new URL(import.meta.url), { workerData: { word } });
  const told = await Promise.race(waiters);
  assert.equal(told, 'first');
  Atomics.notify(word, 0);
  await Promise.all(waiters);
  await worker.terminate();
} else Atomics.notify(workerData.word, 0, 1);
