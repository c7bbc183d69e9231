// A worker as a service: its requests interleave at every `await`, unless it serves one after the other.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const total = new Int32Array(new SharedArrayBuffer(4));
  const queued = process.argv[2] === 'queued';
  const service = new Worker(new URL(import.meta.url), { workerData: { total, queued } });
  const { promise, resolve } = Promise.withResolvers();
  let replies = 0;
  service.on('message', () => ++replies === 2 && resolve());
  service.postMessage(1);
  await sleep(20);
  service.postMessage(2);
  await promise;
  await service.terminate();
  assert.equal(total[0], 3);
} else {
  const { total, queued } = workerData;
  let last = Promise.resolve();
  const serve = async (amount) => {
    const before = total[0];
    await readFile('package.json');
    total[0] = before + amount;
    parentPort.postMessage('done');
  };
  parentPort.on('message', (amount) => {
    last = queued ? last.then(() => serve(amount)) : serve(amount);
  });
}
