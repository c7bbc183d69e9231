// An entry is cleared because its file has changed, while it is being fetched.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createCache } from 'async-cache-dedupe';
import { freshDirectory } from './directory.mjs';

test('what was cleared is not served again', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'tea'), '3');
  const cache = createCache({ ttl: 60, storage: { type: 'memory' } });
  cache.define('price', async (name) => Number(await readFile(join(dir, name), 'utf8')));
  const change = async () => {
    await writeFile(join(dir, 'tea'), '4');
    await cache.clear('price', 'tea');
  };
  await Promise.all([cache.price('tea'), sleep(50).then(change)]);
  assert.equal(await cache.price('tea'), 4);
});
