// The same in a thread that is a text itself.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const text = `const { parentPort } = require('node:worker_threads');
const load = new Function('name', 'return import(name)');
load('node:path').then(({ sep }) => parentPort.postMessage(sep));`;
const worker = new Worker(text, { eval: true });
assert.deepEqual(await once(worker, 'message'), ['/']);
