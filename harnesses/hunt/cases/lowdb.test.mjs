// Two handlers add a post each to one database.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { JSONFilePreset } from 'lowdb/node';
import { freshDirectory } from './directory.mjs';

test('both posts are saved', async (t) => {
  const file = join(await freshDirectory(t), 'db.json');
  const db = await JSONFilePreset(file, { posts: [] });
  const add = (title) => db.update(({ posts }) => posts.push(title));
  await Promise.all([add('one'), sleep(50).then(() => add('two'))]);
  const fresh = await JSONFilePreset(file, { posts: [] });
  assert.deepEqual(fresh.data.posts, ['one', 'two']);
});

test('a database that is read again keeps what was added meanwhile', async (t) => {
  const file = join(await freshDirectory(t), 'db.json');
  const db = await JSONFilePreset(file, { posts: [] });
  await db.write();
  const add = (title) => db.update(({ posts }) => posts.push(title));
  await Promise.all([db.read(), sleep(50).then(() => add('two'))]);
  const fresh = await JSONFilePreset(file, { posts: [] });
  assert.deepEqual(fresh.data.posts, ['two']);
  assert.deepEqual(db.data.posts, ['two']);
});
