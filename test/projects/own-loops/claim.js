// Two workers claim one job by a file; with `safe` who makes it has it.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const dir = mkdtempSync(join(tmpdir(), 'claim-'));
const workerData = { dir, safe: process.argv[2] === 'safe' };
const start = () => new Worker(new URL('./claim-worker.js', import.meta.url), { workerData });
const workers = [start(), start()];
await Promise.all(workers.map((worker) => once(worker, 'exit')));
const done = readFileSync(join(dir, 'done'), 'utf8');
rmSync(dir, { recursive: true });
assert.equal(done, 'done\n');
