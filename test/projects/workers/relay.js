// Two workers made of text that talk over a channel of their own: the first writes, the second reads when it is told.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { MessageChannel, Worker } from 'node:worker_threads';

const writer = `
  const { workerData: { port, words } } = require('node:worker_threads');
  words[0] = 7;
  port.postMessage({ words });
  port.close();
`;
const reader = `
  const { workerData: { port } } = require('node:worker_threads');
  port.once('message', ({ words }) => {
    if (words[0] !== 7) throw new Error('told too early');
    words[1] = words[0] + 1;
  });
`;
const words = new Int32Array(new SharedArrayBuffer(8));
const { port1, port2 } = new MessageChannel();
const start = (text, port, more) =>
  new Worker(text, { eval: true, workerData: { port, ...more }, transferList: [port] });
const workers = [start(reader, port2), start(writer, port1, { words })];
await Promise.all(workers.map((worker) => once(worker, 'exit')));
assert.equal(words[1], 8);
