// Two commands change one setting each, after reading their defaults.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Conf from 'conf';
import { freshDirectory } from './directory.mjs';

test('both settings are kept', async (t) => {
  const cwd = await freshDirectory(t);
  await writeFile(join(cwd, 'defaults'), 'dark');
  const change = async (key) => {
    const config = new Conf({ cwd, projectName: 'hunt' });
    config.set(key, await readFile(join(cwd, 'defaults'), 'utf8'));
  };
  await Promise.all([change('theme'), sleep(50).then(() => change('editor'))]);
  assert.deepEqual({ ...new Conf({ cwd, projectName: 'hunt' }).store }, { theme: 'dark', editor: 'dark' });
});
