// Two requests look up one country.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pMemoize from 'p-memoize';
import { freshDirectory } from './directory.mjs';

test('a country is looked up once', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'be'), 'Belgium');
  let lookups = 0;
  const store = new Map();
  const cache = {
    get: async (key) => store.get(key),
    set: async (key, value) => {
      await writeFile(join(dir, 'log'), key);
      store.set(key, value);
    },
    has: async (key) => store.has(key),
    delete: async (key) => store.delete(key),
  };
  const country = pMemoize(
    async (code) => {
      lookups += 1;
      return await readFile(join(dir, code), 'utf8');
    },
    { cache },
  );
  const names = await Promise.all([country('be'), sleep(50).then(() => country('be'))]);
  assert.deepEqual(names, ['Belgium', 'Belgium']);
  assert.equal(lookups, 1);
});
