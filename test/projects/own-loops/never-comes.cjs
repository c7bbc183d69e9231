const { parentPort } = require('node:worker_threads');
const load = new Function('name', 'return import(name)');
setInterval(() => {}, 1000);
load('node:path').then(
  () => parentPort.postMessage('ready'),
  () => {},
);
