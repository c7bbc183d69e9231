const { parentPort } = require('node:worker_threads');
const load = new Function('name', 'return import(name)');
load('node:path').then(({ sep }) => parentPort.postMessage(sep));
