import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { Cacheable } from 'cacheable';
import { freshDirectory } from './directory.mjs';

test('what is computed is kept until it is deleted', async (t) => {
  const file = join(await freshDirectory(t), 'report');
  await writeFile(file, 'old');
  const cache = new Cacheable();
  assert.equal(await cache.getOrSet('report', () => readFile(file, 'utf8')), 'old');
  await writeFile(file, 'new');
  await cache.delete('report');
  assert.equal(await cache.getOrSet('report', () => readFile(file, 'utf8')), 'new');
  await cache.set('visits', 1);
  assert.equal(await cache.get('visits'), 1);
  await cache.clear();
  assert.equal(await cache.get('visits'), undefined);
});
