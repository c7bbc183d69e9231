// Processes claim jobs of a folder by files.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAll } from './begun.js';

async function claimed(flag) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  await mkdir(join(dir, 'jobs'));
  for (const job of ['mail', 'print']) await writeFile(join(dir, 'jobs', job), '');
  const done = await runAll('./claim.child.js', [[dir, flag], [dir, flag]]);
  assert.deepEqual(done.flat().toSorted(), ['mail', 'print']);
  await rm(dir, { recursive: true });
}

test('racy', () => claimed('w'));
test('repaired', () => claimed('wx'));
