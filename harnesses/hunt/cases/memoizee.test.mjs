// A memoized look-up is cleared because its file has changed.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import memoize from 'memoizee';
import { freshDirectory } from './directory.mjs';

test('what was cleared is not served again', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'tea'), '3');
  const price = memoize(async (name) => Number(await readFile(join(dir, name), 'utf8')), { promise: true });
  const change = async () => {
    await writeFile(join(dir, 'tea'), '4');
    price.clear();
  };
  await Promise.all([price('tea'), sleep(50).then(change)]);
  assert.equal(await price('tea'), 4);
});
