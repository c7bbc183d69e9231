// Two handlers write into a folder that is not there yet, a third empties another one.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fs from 'fs-extra';
import { freshDirectory } from './directory.mjs';

test('files of two handlers are both there', async (t) => {
  const dir = await freshDirectory(t);
  const folder = join(dir, 'a', 'b', 'c');
  await Promise.all([
    fs.outputFile(join(folder, 'one'), '1'),
    sleep(50).then(() => fs.outputJson(join(folder, 'two.json'), { two: 2 })),
    sleep(60).then(() => fs.ensureDir(folder)),
  ]);
  assert.equal(await fs.readFile(join(folder, 'one'), 'utf8'), '1');
  assert.deepEqual(await fs.readJson(join(folder, 'two.json')), { two: 2 });
});
