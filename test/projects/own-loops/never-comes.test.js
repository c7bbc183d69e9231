// Threads that do not come to rest under the gate: a package is imported from a text, which Node allows and nothing there can.
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

for (const name of ['one', 'two'])
  test(name, async () => {
    const worker = new Worker(new URL('never-comes.cjs', import.meta.url));
    await once(worker, 'message');
    await worker.terminate();
  });
