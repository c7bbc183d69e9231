// A lock file that is looked for before it is written.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAll } from './begun.js';

async function deposited(kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'balance');
  await writeFile(path, '0');
  await runAll('./lock.child.js', [[path, kind], [path, kind]]);
  assert.equal(await readFile(path, 'utf8'), '20');
  await rm(dir, { recursive: true });
}

test('racy', () => deposited('file'));
test('repaired', () => deposited('mkdir'));
