// An event is stamped behind what came before it; nobody holds the clock that stamps it.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, Worker } from 'node:worker_threads';

if (isMainThread) new Worker(new URL(import.meta.url));
else {
  const before = performance.now();
  // More than any machine takes to start a thread: the clock leaps, and the one that stamps does not.
  await sleep(600_000);
  assert.ok(new Event('late').timeStamp >= before + 599_999);
}
