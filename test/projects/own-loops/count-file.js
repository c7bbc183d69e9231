// No shared memory: two workers count in one file.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

if (isMainThread) {
  const dir = mkdtempSync(join(tmpdir(), 'count-'));
  const file = join(dir, 'count');
  writeFileSync(file, '0');
  const start = () => once(new Worker(new URL(import.meta.url), { workerData: file }), 'exit');
  await Promise.all([start(), start()]);
  const count = readFileSync(file, 'utf8');
  rmSync(dir, { recursive: true });
  assert.equal(count, '2');
} else {
  const count = Number(await readFile(workerData, 'utf8'));
  await writeFile(workerData, String(count + 1));
}
