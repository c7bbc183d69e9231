// An account in use by two workers, one of which comes 350 ms later: the answer that the other one waits for may be as late as that.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const balance = new Int32Array(new SharedArrayBuffer(4));
  const start = (pause) => new Worker(new URL(import.meta.url), { workerData: { balance, pause } });
  await Promise.all([start(0), start(350)].map((worker) => once(worker, 'exit')));
  assert.equal(balance[0], 2);
} else {
  const { balance, pause } = workerData;
  if (pause > 0) await sleep(pause);
  const before = balance[0];
  await readFile('package.json');
  balance[0] = before + 1;
}
