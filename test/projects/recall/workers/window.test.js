// A worker moves a price window; both of its bounds are asked for while it does.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/** Both bounds are 16 bits wide: they fit into one element. */
const packed = (low, high) => (low << 16) | high;

async function moved(isPacked) {
  const bounds = new Int32Array(new SharedArrayBuffer(8));
  bounds.set(isPacked ? [packed(10, 20)] : [10, 20]);
  const worker = new Worker(new URL('./window.worker.js', import.meta.url), { workerData: { bounds, isPacked } });
  await once(worker, 'online');
  const end = once(worker, 'exit');
  worker.postMessage([30, 40]);
  await sleep(150);
  const whole = Atomics.load(bounds, 0);
  const [low, high] = isPacked ? [whole >> 16, whole & 0xffff] : [whole, Atomics.load(bounds, 1)];
  await end;
  assert.equal(high - low, 10);
}

test('racy', () => moved(false));
test('repaired', () => moved(true));
