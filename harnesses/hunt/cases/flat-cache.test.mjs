// Two linters remember their results in one cache file.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { create } from 'flat-cache';
import { freshDirectory } from './directory.mjs';

test('both results are kept', async (t) => {
  const cacheDir = await freshDirectory(t);
  await writeFile(join(cacheDir, 'source.js'), 'x');
  const cache = create({ cacheId: 'lint', cacheDir });
  const lint = async (name) => {
    cache.setKey(name, (await readFile(join(cacheDir, 'source.js'), 'utf8')).length);
    cache.save();
  };
  await Promise.all([lint('a.js'), sleep(50).then(() => lint('b.js'))]);
  const again = create({ cacheId: 'lint', cacheDir });
  assert.equal(again.getKey('a.js'), 1);
  assert.equal(again.getKey('b.js'), 1);
});
