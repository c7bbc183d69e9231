// A slow lookup is memoized in a cache that lives on disk.
import assert from 'node:assert/strict';
import { access, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pMemoize from 'p-memoize-buggy';

class DiskCache {
  constructor(dir) { this.dir = dir; }
  #file(key) { return join(this.dir, `${key}.json`); }
  has(key) { return access(this.#file(key)).then(() => true, () => false); }
  async get(key) { return JSON.parse(await readFile(this.#file(key), 'utf8')); }
  async set(key, value) { await writeFile(this.#file(key), JSON.stringify(value)); }
  async delete(key) { await rm(this.#file(key), { force: true }); }
}

test('the postcode of a town is looked up once', async () => {
  const dir = await mkdtemp('lookup-');
  await writeFile(join(dir, 'towns.txt'), 'Ghent 9000\nBruges 8000\n');
  let lookups = 0;
  const postcode = pMemoize(
    async (town) => {
      lookups += 1;
      const lines = (await readFile(join(dir, 'towns.txt'), 'utf8')).split('\n');
      return lines.find((line) => line.startsWith(town)).split(' ')[1];
    },
    { cache: new DiskCache(dir) },
  );

  const found = await Promise.all([postcode('Ghent'), sleep(100).then(() => postcode('Ghent'))]);
  assert.deepEqual(found, ['9000', '9000']);
  assert.equal(lookups, 1);
});
