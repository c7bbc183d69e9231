import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

const sessions = new Map();
let last = Promise.resolve();

async function visit({ user, page }) {
  const pages = sessions.get(user) ?? [];
  await readFile(new URL(import.meta.url));
  sessions.set(user, [...pages, page]);
}

parentPort.on('message', (message) => {
  if (message === 'report') last.then(() => parentPort.postMessage([...sessions.values()].flat()));
  else if (workerData.repaired) last = last.then(() => visit(message)).then(told);
  else visit(message).then(told);
});

const told = () => parentPort.postMessage('visited');
