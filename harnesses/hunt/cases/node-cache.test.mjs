// Hits are counted beside a value that is loaded once.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import NodeCache from 'node-cache';
import { freshDirectory } from './directory.mjs';

test('a value that expires is loaded again', async (t) => {
  const file = join(await freshDirectory(t), 'value');
  await writeFile(file, '7');
  const cache = new NodeCache({ stdTTL: 1, checkperiod: 0 });
  const value = async () => {
    if (cache.has('value')) return cache.get('value');
    const loaded = Number(await readFile(file, 'utf8'));
    cache.set('value', loaded);
    return loaded;
  };
  const values = await Promise.all([value(), sleep(50).then(value)]);
  assert.deepEqual(values, [7, 7]);
  assert.equal(cache.getStats().keys, 1);
});
