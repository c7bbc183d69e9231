// An event is stamped behind what came before it; nobody holds the clock that stamps it.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker } from 'node:worker_threads';

if (isMainThread) new Worker(new URL(import.meta.url));
else {
  const before = performance.now();
  await sleep(1000);
  assert.ok(new Event('late').timeStamp >= before + 999);
}
