// Messages and ends of workers order everything: nothing can go wrong, and nothing is to be forced.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker, isMainThread, parentPort } from 'node:worker_threads';

if (isMainThread) {
  const words = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(new URL(import.meta.url));
  words[0] = 1;
  worker.postMessage(words);
  const [answer] = await once(worker, 'message');
  answer[0] += 1;
  worker.postMessage('end');
  await once(worker, 'exit');
  words[0] += 1;
  assert.equal(words[0], 8);
} else {
  const [words] = await once(parentPort, 'message');
  words[0] += 1;
  parentPort.postMessage(words);
  await once(parentPort, 'message');
  words[0] += 4;
}
