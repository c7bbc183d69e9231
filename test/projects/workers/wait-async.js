// The parent waits asynchronously for a count of the worker.
import assert from 'node:assert/strict';
import { Worker, isMainThread, workerData } from 'node:worker_threads';
if (isMainThread) {
  const m = new Int32Array(new SharedArrayBuffer(16));
  const w = new Worker(new URL(import.meta.url), { workerData: m });
  const r = Atomics.waitAsync(m, 0, 0);
  if (r.async) assert.equal(await r.value, 'ok');
  assert.equal(m[1], 42);
  m[1]++;
  Atomics.store(m, 2, 1); Atomics.notify(m, 2);
  await new Promise((d) => w.on('exit', d));
  assert.equal(m[1], 44);
} else {
  const m = workerData;
  m[1] = 42;
  Atomics.store(m, 0, 1); Atomics.notify(m, 0);
  while (Atomics.load(m, 2) === 0) Atomics.wait(m, 2, 0);
  m[1]++;
}
