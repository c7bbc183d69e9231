// A lock file that is looked for before it is written.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

async function deposited(kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'balance');
  await writeFile(path, '0');
  const script = fileURLToPath(new URL('./lock.child.js', import.meta.url));
  const deposit = () => run(process.execPath, [script, path, kind]);
  await Promise.all([deposit(), deposit()]);
  assert.equal(await readFile(path, 'utf8'), '20');
  await rm(dir, { recursive: true });
}

test('racy', () => deposited('file'));
test('repaired', () => deposited('mkdir'));
