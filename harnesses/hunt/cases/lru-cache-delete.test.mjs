// An entry is dropped because its file has changed, while it is being fetched.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { freshDirectory } from './directory.mjs';

test('what was dropped is not served again', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'tea'), '3');
  const prices = new LRUCache({
    max: 10,
    fetchMethod: async (name) => Number(await readFile(join(dir, name), 'utf8')),
  });
  const change = async () => {
    await writeFile(join(dir, 'tea'), '4');
    prices.delete('tea');
  };
  await Promise.all([prices.fetch('tea').catch(() => {}), sleep(50).then(change)]);
  assert.equal(await prices.fetch('tea'), 4);
});
