import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { isMainThread, Worker, workerData } from 'node:worker_threads';
import { work } from './begun.js';

if (isMainThread)
  await work(async ([path]) => {
    const worker = new Worker(new URL(import.meta.url), { workerData: path });
    await once(worker, 'exit');
  });
else {
  const n = Number(readFileSync(workerData, 'utf8'));
  writeFileSync(workerData, String(n + 1));
}
