// A pool of workers that take jobs by message and write their own cells; the parent sums after the answers.
import assert from 'node:assert/strict';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
if (isMainThread) {
  const cells = new Int32Array(new SharedArrayBuffer(64));
  const jobs = [1, 2, 3, 4, 5, 6];
  let left = jobs.length, next = 0;
  await new Promise((resolve, reject) => {
    for (let i = 0; i < 2; i++) {
      const w = new Worker(new URL(import.meta.url), { workerData: cells });
      w.on('error', reject);
      const give = () => { if (next < jobs.length) w.postMessage({ cell: next, n: jobs[next++] }); else w.postMessage(null); };
      w.on('message', (cell) => { assert.equal(cells[cell], jobs[cell] ** 2); cells[15] += cells[cell]; if (--left === 0) resolve(); give(); });
      give();
    }
  });
  assert.equal(cells[15], 91);
} else {
  parentPort.on('message', (job) => {
    if (!job) return parentPort.close();
    workerData[job.cell] = job.n ** 2;
    parentPort.postMessage(job.cell);
  });
}
