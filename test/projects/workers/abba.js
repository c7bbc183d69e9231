// Two hand-made locks in opposite orders; with `same` in one order.
import { once } from 'node:events';
import { Worker, isMainThread, workerData } from 'node:worker_threads';
const lock = (m, i) => { while (Atomics.compareExchange(m, i, 0, 1) !== 0) Atomics.wait(m, i, 1); };
const unlock = (m, i) => { Atomics.store(m, i, 0); Atomics.notify(m, i, 1); };
if (isMainThread) {
  const m = new Int32Array(new SharedArrayBuffer(16));
  const same = process.argv[2] === 'same';
  const ws = [[0, 1], same ? [0, 1] : [1, 0]].map((order) => new Worker(new URL(import.meta.url), { workerData: { m, order } }));
  await Promise.all(ws.map((w) => once(w, 'exit')));
  if (m[2] !== 2) throw new Error('count ' + m[2]);
} else {
  const { m, order: [a, b] } = workerData;
  lock(m, a); lock(m, b);
  m[2]++;
  unlock(m, b); unlock(m, a);
}
