import assert from 'node:assert/strict';
import test from 'node:test';
import storage from 'node-persist';
import { freshDirectory } from './directory.mjs';

test('items are kept until they are removed', async (t) => {
  const store = storage.create({ dir: await freshDirectory(t) });
  await store.init();
  await store.setItem('name', 'ann');
  assert.equal(await store.getItem('name'), 'ann');
  await store.setItem('name', 'bob');
  await store.setItem('town', 'York');
  assert.deepEqual((await store.keys()).sort(), ['name', 'town']);
  await store.removeItem('name');
  assert.equal(await store.getItem('name'), undefined);
  await store.clear();
  assert.equal(await store.length(), 0);
});
