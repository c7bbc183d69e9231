// Workers count in the memory of WebAssembly, one as it was handed over, one as it came by message, after it has grown.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const atomic = process.argv.includes('safe');
function count(memory) {
  memory.grow(1);
  const counter = new Int32Array(memory.buffer);
  if (atomic) Atomics.add(counter, 0, 1);
  else counter[0] += 1;
}

if (isMainThread) {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 4, shared: true });
  const counter = new Int32Array(memory.buffer);
  const argv = process.argv.slice(2);
  const start = (data) => new Worker(new URL(import.meta.url), { argv, workerData: data });
  const workers = [start(memory), start(null)];
  workers[1].postMessage({ memory });
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  assert.equal(counter[0], 2);
} else if (workerData) count(workerData);
else parentPort.once('message', ({ memory }) => count(memory));
