// Two requests need a report; an update comes while it is built.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cacheable } from 'cacheable';
import { freshDirectory } from './directory.mjs';

test('a report is built once', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'sales.csv'), 'north,10\n');
  const cache = new Cacheable();
  let built = 0;
  const report = () =>
    cache.getOrSet('sales', async () => {
      built += 1;
      return await readFile(join(dir, 'sales.csv'), 'utf8');
    });
  const [one, two] = await Promise.all([report(), sleep(100).then(report)]);
  assert.equal(one, two);
  assert.equal(built, 1);
});

test('an update is not undone by a report that was begun before it', async (t) => {
  const dir = await freshDirectory(t);
  await writeFile(join(dir, 'sales.csv'), 'north,10\n');
  const cache = new Cacheable();
  const report = () => cache.getOrSet('sales', () => readFile(join(dir, 'sales.csv'), 'utf8'));
  const change = async () => {
    await writeFile(join(dir, 'sales.csv'), 'north,11\n');
    await cache.delete('sales');
  };
  await Promise.all([report(), sleep(100).then(change)]);
  assert.equal(await report(), 'north,11\n');
});
