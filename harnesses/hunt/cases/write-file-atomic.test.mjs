// Two saves of one file, and a reader.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import writeFileAtomic from 'write-file-atomic';
import { freshDirectory } from './directory.mjs';

test('a reader never sees half a file, and no temporary files are left', async (t) => {
  const dir = await freshDirectory(t);
  const file = join(dir, 'state.json');
  await writeFileAtomic(file, JSON.stringify({ revision: 0 }));
  const read = async () => JSON.parse(await readFile(file, 'utf8')).revision;
  const [, , seen] = await Promise.all([
    writeFileAtomic(file, JSON.stringify({ revision: 1 })),
    sleep(50).then(() => writeFileAtomic(file, JSON.stringify({ revision: 2 }))),
    sleep(50).then(read),
  ]);
  assert.ok([0, 1, 2].includes(seen));
  assert.equal(await read(), 2);
  assert.deepEqual(await readdir(dir), ['state.json']);
});
