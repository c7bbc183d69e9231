// A worker that calls process.exit while it exits, as some libraries do to drop its exit code.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const text = `const { parentPort } = require('node:worker_threads');
process.once('exit', () => process.exit(0));
parentPort.once('message', () => process.exit(3));`;
const worker = new Worker(text, { eval: true });
worker.postMessage('end');
assert.deepEqual(await once(worker, 'exit'), [0]);
