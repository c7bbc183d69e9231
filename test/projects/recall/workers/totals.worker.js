import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';

parentPort.on('message', async ({ id, words }) => {
  const text = await readFile(new URL(import.meta.url), 'utf8');
  parentPort.postMessage({ id, count: words.filter((word) => text.includes(word)).length });
});
