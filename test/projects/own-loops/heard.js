// What a worker says by another port than its own may come behind its end.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';

const worker = new Worker(new URL('./heard-worker.js', import.meta.url));
let hasEnded = false;
worker.once('exit', () => {
  hasEnded = true;
});
const { port1, port2 } = new MessageChannel();
worker.postMessage(port2, [port2]);
await once(port1, 'message');
port1.close();
if (process.argv[2] !== 'patient') assert.equal(hasEnded, process.argv[2] === 'never' ? null : false);
