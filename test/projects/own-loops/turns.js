// A counter goes from thread to thread with a message, and every access comes behind the one that sent it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

const add = (words) => {
  words[0]++;
};

if (isMainThread) {
  const words = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(new URL(import.meta.url), { workerData: words });
  for (let turn = 0; turn < 2; turn++) {
    add(words);
    worker.postMessage('yours');
    await once(worker, 'message');
  }
  worker.postMessage('end');
  await once(worker, 'exit');
  assert.equal(words[0], 4);
} else
  parentPort.on('message', (what) => {
    if (what === 'end') return parentPort.close();
    add(workerData);
    parentPort.postMessage('yours');
  });
