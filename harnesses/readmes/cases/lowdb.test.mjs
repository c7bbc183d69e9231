import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { JSONFilePreset } from 'lowdb/node';
import { freshDirectory } from './directory.mjs';

test('posts are added and read again', async (t) => {
  const db = await JSONFilePreset(join(await freshDirectory(t), 'db.json'), { posts: [] });
  await db.update(({ posts }) => posts.push('hello world'));
  assert.equal(db.data.posts.length, 1);
  await db.read();
  await db.update(({ posts }) => posts.push('good bye'));
  assert.deepEqual(db.data.posts, ['hello world', 'good bye']);
  db.data.posts.push('and again');
  await db.write();
  await db.read();
  assert.equal(db.data.posts.length, 3);
});
