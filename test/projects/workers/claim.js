// Two workers claim one seat: each looks whether it is free, asks a file, and takes it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { isMainThread, parentPort, Worker, workerData as seats } from 'node:worker_threads';

async function claim() {
  if (seats[0] !== 0) return false;
  await readFile(new URL(import.meta.url));
  seats[0] = 1;
  return true;
}

if (isMainThread) {
  const workerData = new Int32Array(new SharedArrayBuffer(4));
  const workers = [1, 2].map(() => new Worker(new URL(import.meta.url), { workerData }));
  const got = await Promise.all(workers.map(async (worker) => (await once(worker, 'message'))[0]));
  assert.equal(got.filter(Boolean).length, 1);
} else parentPort.postMessage(await claim());
