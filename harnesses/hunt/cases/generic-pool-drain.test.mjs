// The pool is closed while a connection is being made.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import genericPool from 'generic-pool';
import { freshDirectory } from './directory.mjs';

test('a pool that was drained and cleared has no open connections', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'key'), 'secret');
  let open = 0;
  const pool = genericPool.createPool(
    {
      create: async () => {
        const key = await readFile(join(dir, 'key'), 'utf8');
        open += 1;
        return { key };
      },
      destroy: async () => {
        open -= 1;
      },
    },
    { max: 2, min: 1 },
  );
  const close = async () => {
    await pool.drain();
    await pool.clear();
  };
  await Promise.all([pool.use(async () => {}).catch(() => {}), sleep(50).then(close)]);
  assert.equal(open, 0);
});
