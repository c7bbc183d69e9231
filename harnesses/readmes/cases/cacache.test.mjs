import assert from 'node:assert/strict';
import test from 'node:test';
import cacache from 'cacache';
import { freshDirectory } from './directory.mjs';

test('content is put, found, verified and removed', async (t) => {
  const cache = await freshDirectory(t);
  await cacache.put(cache, 'ann', 'first');
  assert.equal(String((await cacache.get(cache, 'ann')).data), 'first');
  await cacache.put(cache, 'bob', 'second');
  await cacache.verify(cache);
  assert.deepEqual(Object.keys(await cacache.ls(cache)).sort(), ['ann', 'bob']);
  await cacache.rm.entry(cache, 'ann');
  await assert.rejects(cacache.get(cache, 'ann'));
});
