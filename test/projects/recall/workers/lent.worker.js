import { readFile, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

parentPort.on('message', async (page) => {
  const pages = await readFile(workerData, 'utf8');
  await writeFile(workerData, `${pages}${page}\n`);
  parentPort.postMessage('indexed');
});
