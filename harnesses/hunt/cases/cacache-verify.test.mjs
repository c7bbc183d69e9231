// The cache is cleaned while something is stored.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import cacache from 'cacache';
import { freshDirectory } from './directory.mjs';

test('what was stored can be read after the cache was cleaned', async (t) => {
  const cache = await freshDirectory(t);
  await cacache.put(cache, 'old', 'old content');
  await Promise.all([cacache.put(cache, 'page', 'hello'), sleep(50).then(() => cacache.verify(cache))]);
  const { data } = await cacache.get(cache, 'page');
  assert.equal(String(data), 'hello');
});
