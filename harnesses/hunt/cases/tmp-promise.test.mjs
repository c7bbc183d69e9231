// Two handlers work in temporary directories.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { withDir } from 'tmp-promise';

test('each handler reads its own file', async () => {
  const handle = (text) =>
    withDir(
      async ({ path }) => {
        await writeFile(join(path, 'note'), text);
        return await readFile(join(path, 'note'), 'utf8');
      },
      { unsafeCleanup: true },
    );
  assert.deepEqual(await Promise.all([handle('one'), sleep(50).then(() => handle('two'))]), ['one', 'two']);
});
