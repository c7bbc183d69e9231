import { parentPort } from 'node:worker_threads';

parentPort.once('message', (port) => {
  port.postMessage('done');
  port.close();
});
