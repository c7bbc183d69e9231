// Processes claim jobs of a folder by files.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

async function claimed(flag) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  await mkdir(join(dir, 'jobs'));
  for (const job of ['mail', 'print']) await writeFile(join(dir, 'jobs', job), '');
  const script = fileURLToPath(new URL('./claim.child.js', import.meta.url));
  const work = () => text(spawn(process.execPath, [script, dir, flag]).stdout);
  const done = (await Promise.all([work(), work()])).join('').split('\n').filter(Boolean);
  assert.deepEqual(done.toSorted(), ['mail', 'print']);
  await rm(dir, { recursive: true });
}

test('racy', () => claimed('w'));
test('repaired', () => claimed('wx'));
