// A file is saved twice.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import jetpack from 'fs-jetpack';
import { freshDirectory } from './directory.mjs';

test('both saves succeed', async (t) => {
  const dir = await freshDirectory(t);
  const file = join(dir, 'notes.txt');
  const save = (text) => jetpack.writeAsync(file, text, { atomic: true });
  await Promise.all([save('first'), sleep(50).then(() => save('second'))]);
  assert.match(await readFile(file, 'utf8'), /^(first|second)$/);
});
