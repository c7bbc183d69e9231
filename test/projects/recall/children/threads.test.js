// Each of two processes leaves its file work to a thread of its own.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runAll } from './begun.js';

async function counted(names) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const paths = names.map((name) => join(dir, name));
  for (const path of paths) await writeFile(path, '0');
  await runAll('./threads.child.js', paths.map((path) => [path]));
  let sum = 0;
  for (const path of new Set(paths)) sum += Number(await readFile(path, 'utf8'));
  assert.equal(sum, 2);
  await rm(dir, { recursive: true });
}

test('racy', () => counted(['n', 'n']));
test('repaired', () => counted(['a', 'b']));
