import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import writeFileAtomic from 'write-file-atomic';
import { freshDirectory } from './directory.mjs';

test('a file is written as a whole', async (t) => {
  const file = join(await freshDirectory(t), 'message.txt');
  await writeFileAtomic(file, 'Hello Node');
  assert.equal(await readFile(file, 'utf8'), 'Hello Node');
  await writeFileAtomic(file, 'Hello again');
  assert.equal(await readFile(file, 'utf8'), 'Hello again');
});
