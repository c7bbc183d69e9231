import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { Worker } from 'node:worker_threads';

async function deposits(teller, index) {
  const memory = new SharedArrayBuffer(16);
  const workers = [10, 20].map(
    (amount) => new Worker(new URL(teller, import.meta.url), { workerData: { memory, amount } }),
  );
  await Promise.all(workers.map((worker) => once(worker, 'exit')));
  assert.equal(new Int32Array(memory)[index], 30);
}

it('unguarded', () => deposits('./teller.js', 0));
it('locked', () => deposits('./safe-teller.js', 1));
