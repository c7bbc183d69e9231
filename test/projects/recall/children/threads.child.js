import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const [, , path] = process.argv;
  const worker = new Worker(new URL(import.meta.url), { workerData: path });
  await once(worker, 'exit');
} else {
  const n = Number(readFileSync(workerData, 'utf8'));
  writeFileSync(workerData, String(n + 1));
}
