// Two handlers store values, one of them is removed.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import nodePersist from 'node-persist';
import { freshDirectory } from './directory.mjs';

test('a removed item stays removed, others stay', async (t) => {
  const dir = join(await freshDirectory(t), 'store');
  const storage = nodePersist.create({ dir });
  await storage.init();
  await Promise.all([
    storage.setItem('a', 1),
    sleep(50).then(() => storage.setItem('b', 2)),
    sleep(100).then(() => storage.removeItem('a')),
  ]);
  assert.equal(await storage.getItem('a'), undefined);
  assert.equal(await storage.getItem('b'), 2);
});

test('the later value of one key stays', async (t) => {
  const dir = join(await freshDirectory(t), 'store');
  const storage = nodePersist.create({ dir });
  await storage.init();
  await Promise.all([storage.setItem('a', 1), sleep(50).then(() => storage.setItem('a', 2))]);
  assert.equal(await storage.getItem('a'), 2);
});
