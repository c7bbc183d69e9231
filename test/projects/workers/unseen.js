// Uses what is neither controlled nor seen, and passes.
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';

const { port1, port2 } = new MessageChannel();
const source = "require('node:worker_threads').workerData.postMessage('done')";
const worker = new Worker(source, { eval: true, workerData: port2, transferList: [port2] });
await once(port1, 'message');
port1.close();
await once(worker, 'exit');
new BroadcastChannel('news').close();
const _shared = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
