// Two request handlers need the same report; to build it takes long.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cacheable } from 'cacheable-buggy';

test('a report is built once and then served from the cache', async () => {
  const dir = await mkdtemp('reports-');
  await writeFile(join(dir, 'sales.csv'), 'north,10\nsouth,20\n');
  let built = 0;
  const report = new Cacheable().wrap(
    async (name) => {
      built += 1;
      const rows = (await readFile(join(dir, `${name}.csv`), 'utf8')).trim().split('\n');
      return { name, total: rows.reduce((sum, row) => sum + Number(row.split(',')[1]), 0) };
    },
    { ttl: '1h', keyPrefix: 'report' },
  );
  const handleRequest = async () => (await report('sales')).total;

  const totals = await Promise.all([handleRequest(), sleep(100).then(handleRequest)]);
  assert.deepEqual(totals, [30, 30]);
  assert.equal(built, 1);
});
