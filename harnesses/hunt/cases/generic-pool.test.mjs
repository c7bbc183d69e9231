// Two requests share a pool of one connection, which is then drained.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import genericPool from 'generic-pool';
import { freshDirectory } from './directory.mjs';

test('a connection is used by one at a time and closed at the end', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'key'), 'secret');
  let open = 0;
  const pool = genericPool.createPool(
    {
      create: async () => {
        open += 1;
        return { key: await readFile(join(dir, 'key'), 'utf8'), busy: false };
      },
      destroy: async () => {
        await writeFile(join(dir, 'closed'), '');
        open -= 1;
      },
    },
    { max: 1 },
  );
  const request = () =>
    pool.use(async (connection) => {
      assert.equal(connection.busy, false);
      connection.busy = true;
      await readFile(join(dir, 'key'));
      connection.busy = false;
    });
  await Promise.all([request(), sleep(50).then(request)]);
  await pool.drain();
  await pool.clear();
  assert.equal(open, 0);
});
