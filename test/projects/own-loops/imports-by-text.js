// A package imports by a text, which compilers do not rewrite; the thread goes on when it has.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const worker = new Worker(new URL('imports-by-text.cjs', import.meta.url));
assert.deepEqual(await once(worker, 'message'), ['/']);
