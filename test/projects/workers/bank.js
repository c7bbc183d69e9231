// Two workers deposit into one account. Run with `safe` they take a lock.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const safe = process.argv[2] === 'safe';
const teller = new URL(safe ? './safe-teller.js' : './teller.js', import.meta.url);
const memory = new SharedArrayBuffer(16);
const workers = [10, 20].map((amount) => new Worker(teller, { workerData: { memory, amount } }));
await Promise.all(workers.map((worker) => once(worker, 'exit')));
assert.equal(new Int32Array(memory)[safe ? 1 : 0], 30);
