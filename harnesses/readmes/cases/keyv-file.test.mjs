import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { KeyvFile } from 'keyv-file';
import { freshDirectory } from './directory.mjs';

test('what is stored is in the file', async (t) => {
  const filename = join(await freshDirectory(t), 'store.json');
  const store = new KeyvFile({ filename, writeDelay: 10 });
  await store.set('ann', 1);
  await store.set('bob', 2);
  assert.equal(await store.get('bob'), 2);
  await store.delete('ann');
  const later = new KeyvFile({ filename });
  assert.equal(await later.get('bob'), 2);
  assert.equal(await later.get('ann'), undefined);
});
