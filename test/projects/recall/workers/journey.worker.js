import { appendFile, stat, writeFile } from 'node:fs/promises';
import { workerData } from 'node:worker_threads';

const { path, stop, repaired } = workerData;

async function headed() {
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) await writeFile(path, 'stops\n');
}

if (!repaired) await headed();
await appendFile(path, `${stop}\n`);
