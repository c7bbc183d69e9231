// A worker that ends the process in its first turn, behind what its argument says.
import { Worker } from 'node:worker_threads';

const [, , first] = process.argv;
const before = first === 'file' ? `require('node:fs').existsSync('package.json');` : '';
const text = `${before} process.kill(process.pid, 'SIGKILL'); while (true);`;
const workerData = first === 'memory' ? new Int32Array(new SharedArrayBuffer(4)) : null;
new Worker(text, { eval: true, workerData });
