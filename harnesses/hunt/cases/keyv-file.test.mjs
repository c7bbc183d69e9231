// Two requests each store a session.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { KeyvFile } from 'keyv-file';
import { freshDirectory } from './directory.mjs';

test('what was stored is in the file', async (t) => {
  const dir = await freshDirectory(t);
  const filename = join(dir, 'sessions.json');
  const store = new KeyvFile({ filename, writeDelay: 10 });
  await Promise.all([store.set('alice', 1), sleep(50).then(() => store.set('bob', 2))]);
  const { cache } = JSON.parse(await readFile(filename, 'utf8'));
  assert.deepEqual(cache.map(([key]) => key).sort(), ['alice', 'bob']);
});
