// Two workers count in one file, under a lock of the file system.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import lockfile from 'proper-lockfile';
import { freshDirectory } from './directory.mjs';

test('nothing is lost under the lock', async (t) => {
  const file = join(await freshDirectory(t), 'count');
  await writeFile(file, '0');
  const count = async () => {
    const release = await lockfile.lock(file, { retries: { retries: 400, minTimeout: 20, maxTimeout: 20 } });
    try {
      await writeFile(file, String(Number(await readFile(file, 'utf8')) + 1));
    } finally {
      await release();
    }
  };
  await Promise.all([count(), sleep(100).then(count)]);
  assert.equal(await readFile(file, 'utf8'), '2');
});
