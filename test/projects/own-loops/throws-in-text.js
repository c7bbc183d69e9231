// A thread that is a text and throws what only a text that cannot be read throws otherwise: it runs once.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const workerData = new Int32Array(new SharedArrayBuffer(4));
const text = `Atomics.add(require('node:worker_threads').workerData, 0, 1);
JSON.parse('{');`;
const worker = new Worker(text, { eval: true, workerData });
const [{ name }] = await once(worker, 'error');
assert.deepEqual([name, workerData[0]], ['SyntaxError', 1]);
