// A worker is asked about its heap while nothing else goes on.
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const code = "require('node:worker_threads').parentPort.once('message', () => {})";
const worker = new Worker(code, { eval: true });
await once(worker, 'online');
const snapshot = await worker.getHeapSnapshot();
await once(snapshot.resume(), 'end');
worker.postMessage('end');
await once(worker, 'exit');
