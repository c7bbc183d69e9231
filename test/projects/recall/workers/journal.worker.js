import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';

const { lock, path, name, repaired } = workerData;

function acquire() {
  if (repaired) while (Atomics.compareExchange(lock, 0, 0, 1) !== 0) Atomics.wait(lock, 0, 1);
  else {
    while (Atomics.load(lock, 0) !== 0) Atomics.wait(lock, 0, 1);
    Atomics.store(lock, 0, 1);
  }
}

function release() {
  Atomics.store(lock, 0, 0);
  Atomics.notify(lock, 0, 1);
}

await appendFile(`${path}.log`, `${name}\n`);
acquire();
const entries = JSON.parse(await readFile(path, 'utf8'));
await writeFile(path, JSON.stringify([...entries, name]));
release();
parentPort.postMessage(name);
