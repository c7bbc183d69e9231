// The parent reads after the ends of its workers, which use cells of their own.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker, isMainThread, workerData } from 'node:worker_threads';
if (isMainThread) {
  const m = new Float64Array(new SharedArrayBuffer(64));
  const ws = [0, 1].map((i) => new Worker(new URL(import.meta.url), { workerData: { m, i } }));
  await Promise.all(ws.map((w) => once(w, 'exit')));
  m[2] = m[0] + m[1];
  const w = new Worker(new URL(import.meta.url), { workerData: { m, i: 2 } });
  await once(w, 'exit');
  assert.equal(m[2], 16);
} else {
  const { m, i } = workerData;
  for (let k = 0; k < 3; k++) m[i] = m[i] + i + 1;
  if (i === 2) m[i] -= 2;
}
