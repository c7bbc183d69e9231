import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { createCache } from 'async-cache-dedupe';
import { freshDirectory } from './directory.mjs';

test('prices are fetched once', async (t) => {
  const file = join(await freshDirectory(t), 'price');
  await writeFile(file, '10');
  const cache = createCache({ ttl: 60, storage: { type: 'memory' } });
  cache.define('price', async () => Number(await readFile(file, 'utf8')));
  assert.equal(await cache.price('lamp'), 10);
  await writeFile(file, '20');
  assert.equal(await cache.price('lamp'), 10);
  await cache.clear('price', 'lamp');
  assert.equal(await cache.price('lamp'), 20);
});
