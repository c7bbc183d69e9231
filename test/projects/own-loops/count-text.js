// The workers are made of text, and use files synchronously.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

const count = `const fs = require('node:fs');
const { workerData } = require('node:worker_threads');
const count = Number(fs.readFileSync(workerData, 'utf8'));
fs.writeFileSync(workerData, String(count + 1));`;
const dir = mkdtempSync(join(tmpdir(), 'count-'));
const file = join(dir, 'count');
writeFileSync(file, '0');
const start = () => once(new Worker(count, { eval: true, workerData: file }), 'exit');
await Promise.all([start(), start()]);
const counted = readFileSync(file, 'utf8');
rmSync(dir, { recursive: true });
assert.equal(counted, '2');
