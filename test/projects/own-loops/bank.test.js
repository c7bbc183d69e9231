import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

async function deposits(guarded) {
  const balance = new Int32Array(new SharedArrayBuffer(4));
  const start = (amount) =>
    new Worker(new URL('./teller.js', import.meta.url), { workerData: { balance, amount, guarded } });
  await Promise.all([start(10), start(20)].map((teller) => once(teller, 'exit')));
  assert.equal(balance[0], 30);
}

test('unguarded', () => deposits(false));
test('guarded', () => deposits(true));
