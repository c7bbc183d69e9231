// Two commands change one setting each, after reading their defaults.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Configstore from 'configstore';
import { freshDirectory } from './directory.mjs';

test('both settings are kept', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'defaults'), 'dark');
  const configPath = join(dir, 'config.json');
  const change = async (key) => {
    const config = new Configstore('hunt', {}, { configPath });
    config.set(key, await readFile(join(dir, 'defaults'), 'utf8'));
  };
  await Promise.all([change('theme'), sleep(50).then(() => change('editor'))]);
  assert.deepEqual(JSON.parse(await readFile(configPath, 'utf8')), { theme: 'dark', editor: 'dark' });
});
