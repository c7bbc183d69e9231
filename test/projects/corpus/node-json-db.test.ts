// Two handlers save into one JSON database; the first use loads the file.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Config, JsonDB } from 'node-json-db-buggy';

test('settings saved by two handlers are both kept', async () => {
  const file: string = join(await mkdtemp(join(tmpdir(), 'settings-')), 'settings.json');
  await writeFile(file, JSON.stringify({ users: { admin: { theme: 'dark' } } }));
  const db = new JsonDB(new Config(file, true, false, '/'));
  const saveTheme = (user: string, theme: string): Promise<void> => db.push(`/users/${user}`, { theme });

  await Promise.all([saveTheme('alice', 'light'), sleep(100).then(() => saveTheme('bob', 'blue'))]);

  const { users } = JSON.parse(await readFile(file, 'utf8'));
  assert.deepEqual(users, { admin: { theme: 'dark' }, alice: { theme: 'light' }, bob: { theme: 'blue' } });
});
