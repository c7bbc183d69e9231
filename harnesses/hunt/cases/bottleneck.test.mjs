// At most one transfer at a time.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Bottleneck from 'bottleneck';
import { freshDirectory } from './directory.mjs';

test('transfers do not overlap', async (t) => {
  const file = join(await freshDirectory(t), 'balance');
  await writeFile(file, '100');
  const limiter = new Bottleneck({ maxConcurrent: 1 });
  const add = (amount) =>
    limiter.schedule(async () => {
      await writeFile(file, String(Number(await readFile(file, 'utf8')) + amount));
    });
  await Promise.all([add(10), sleep(50).then(() => add(20))]);
  assert.equal(await readFile(file, 'utf8'), '130');
});
