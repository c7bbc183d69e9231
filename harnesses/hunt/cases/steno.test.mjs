// Three saves of one file.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Writer } from 'steno';
import { freshDirectory } from './directory.mjs';

test('the last save wins', async (t) => {
  const dir = await freshDirectory(t);
  const file = join(dir, 'state');
  const writer = new Writer(file);
  await Promise.all([
    writer.write('one'),
    sleep(50).then(() => writer.write('two')),
    sleep(60).then(() => writer.write('three')),
  ]);
  assert.equal(await readFile(file, 'utf8'), 'three');
  assert.deepEqual(await readdir(dir), ['state']);
});
