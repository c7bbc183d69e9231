// Prices are fetched on demand; an update comes while one is being fetched.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { freshDirectory } from './directory.mjs';

test('a price is fetched once, and an update is not undone by a fetch that began before it', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'tea'), '3');
  let fetched = 0;
  const prices = new LRUCache({
    max: 10,
    fetchMethod: async (name) => {
      fetched += 1;
      return Number(await readFile(join(dir, name), 'utf8'));
    },
  });
  const seen = await Promise.all([
    prices.fetch('tea').catch((error) => assert.match(error.message, /replaced/)),
    sleep(50).then(() => prices.set('tea', 4)),
    sleep(80).then(() => prices.fetch('tea')),
  ]);
  assert.equal(fetched, 1);
  assert.equal(seen[2], 4);
  assert.equal(prices.get('tea'), 4);
});
