// An entry is removed with its content, while another key gets the same content.
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import cacache from 'cacache';
import { freshDirectory } from './directory.mjs';

test('removing one entry leaves the other readable', async (t) => {
  const cache = await freshDirectory(t);
  await cacache.put(cache, 'old', 'first');
  await Promise.all([
    cacache.put(cache, 'new', 'second'),
    sleep(50).then(() => cacache.rm.entry(cache, 'old')),
  ]);
  assert.equal(String((await cacache.get(cache, 'new')).data), 'second');
  assert.equal(await cacache.get.info(cache, 'old'), null);
});
