// Two handlers save a theme each.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config, JsonDB } from 'node-json-db';
import { freshDirectory } from './directory.mjs';

test('both themes are saved', async (t) => {
  const file = join(await freshDirectory(t), 'settings.json');
  await writeFile(file, JSON.stringify({ users: {} }));
  const db = new JsonDB(new Config(file, true, false, '/'));
  const save = (user, theme) => db.push(`/users/${user}`, { theme });
  await Promise.all([save('ann', 'light'), sleep(100).then(() => save('bob', 'dark'))]);
  assert.deepEqual(JSON.parse(await readFile(file, 'utf8')).users, {
    ann: { theme: 'light' },
    bob: { theme: 'dark' },
  });
});

test('a database that is loaded again keeps what was added meanwhile', async (t) => {
  const file = join(await freshDirectory(t), 'settings.json');
  await writeFile(file, JSON.stringify({ users: {} }));
  const db = new JsonDB(new Config(file, true, false, '/'));
  await db.load();
  await Promise.all([db.reload(), sleep(100).then(() => db.push('/users/bob', 'dark'))]);
  assert.equal(await db.getData('/users/bob'), 'dark');
});
