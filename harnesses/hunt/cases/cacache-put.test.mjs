// Two downloads of one package are stored under one key, and a third of another.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import cacache from 'cacache';
import { freshDirectory } from './directory.mjs';

test('two puts of one key leave one of the two, whole', async (t) => {
  const cache = await freshDirectory(t);
  await Promise.all([
    cacache.put(cache, 'page', 'first'),
    sleep(50).then(() => cacache.put(cache, 'page', 'second')),
    sleep(50).then(() => cacache.put(cache, 'other', 'first')),
  ]);
  assert.match(String((await cacache.get(cache, 'page')).data), /^(first|second)$/);
  assert.equal(String((await cacache.get(cache, 'other')).data), 'first');
});
