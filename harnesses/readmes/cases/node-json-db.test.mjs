import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { Config, JsonDB } from 'node-json-db';
import { freshDirectory } from './directory.mjs';

test('data is pushed, read, reloaded and deleted', async (t) => {
  const file = join(await freshDirectory(t), 'db');
  const db = new JsonDB(new Config(file, true, false, '/'));
  await db.push('/test1', 'super test');
  assert.equal(await db.getData('/test1'), 'super test');
  await db.push('/test2', { my: { test: 5 } });
  await db.reload();
  assert.equal(await db.getData('/test2/my/test'), 5);
  await db.push('/list[]', { name: 'ann' });
  assert.equal(await db.count('/list'), 1);
  await db.delete('/test1');
  assert.equal(await db.exists('/test1'), false);
});
