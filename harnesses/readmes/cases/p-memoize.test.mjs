import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import pMemoize from 'p-memoize';
import { freshDirectory } from './directory.mjs';

test('a town is looked up once', async (t) => {
  const file = join(await freshDirectory(t), 'lookups');
  const postcode = pMemoize(async (town) => {
    await appendFile(file, `${town}\n`);
    return `${town} 1`;
  });
  assert.equal(await postcode('York'), 'York 1');
  assert.equal(await postcode('York'), 'York 1');
  assert.equal(await readFile(file, 'utf8'), 'York\n');
});
