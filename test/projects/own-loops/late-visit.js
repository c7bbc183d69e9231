// A worker keeps what it is told, and reads a file in the middle; the second one comes when 400 ms are over.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url));
  const pages = new Int32Array(new SharedArrayBuffer(4));
  worker.postMessage(pages);
  await sleep(400);
  worker.postMessage(pages);
  await once(worker, 'exit');
  assert.equal(pages[0], 2);
} else {
  let visits = 0;
  parentPort.on('message', async (pages) => {
    const before = pages[0];
    await readFile(new URL(import.meta.url));
    pages[0] = before + 1;
    if (++visits === 2) parentPort.close();
  });
}
