// The worker never ends.
import { Worker } from 'node:worker_threads';

const words = new Int32Array(new SharedArrayBuffer(4));
new Worker('const { workerData } = require("worker_threads"); for (;;) Atomics.load(workerData, 0);', {
  eval: true,
  workerData: words,
});
