import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import lockfile from 'proper-lockfile';
import { freshDirectory } from './directory.mjs';

test('a file is locked and released', async (t) => {
  const file = join(await freshDirectory(t), 'file');
  await writeFile(file, '');
  const release = await lockfile.lock(file);
  assert.equal(await lockfile.check(file), true);
  await assert.rejects(lockfile.lock(file), { code: 'ELOCKED' });
  await release();
  assert.equal(await lockfile.check(file), false);
  await lockfile.lock(file);
  await lockfile.unlock(file);
});
