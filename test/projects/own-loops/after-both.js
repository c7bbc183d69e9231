// Two workers add a line to a file each; what they wrote is read when both are through, in the turn in which the later one ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

async function add(path) {
  const worker = new Worker(new URL(import.meta.url), { workerData: path });
  await once(worker, 'exit');
}

async function both() {
  const dir = await mkdtemp(join(tmpdir(), 'lines-'));
  const path = join(dir, 'lines');
  await writeFile(path, '');
  await Promise.all([add(path), add(path)]);
  assert.equal(await readFile(path, 'utf8'), 'line\nline\n');
  await rm(dir, { recursive: true });
}

if (isMainThread) await both();
else await appendFile(workerData, 'line\n');
