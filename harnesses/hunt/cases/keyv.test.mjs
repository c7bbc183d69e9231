// A value expires and is stored again.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Keyv from 'keyv';
import { freshDirectory } from './directory.mjs';

test('a stored value is there', async (t) => {
  const file = join(await freshDirectory(t), 'token');
  await writeFile(file, 'fresh');
  const cache = new Keyv({ ttl: 1000 });
  const token = async () => {
    const known = await cache.get('token');
    if (known !== undefined) return known;
    const value = await readFile(file, 'utf8');
    await cache.set('token', value);
    return value;
  };
  const tokens = await Promise.all([token(), sleep(50).then(token)]);
  assert.deepEqual(tokens, ['fresh', 'fresh']);
  assert.equal(await cache.get('token'), 'fresh');
});
