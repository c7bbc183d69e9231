// Forty settings are loaded through a cache; one is changed while it may still be loading.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Cache {
  entries = new Map();
  hits = 0;
  loads = 0;

  constructor(dir) {
    this.dir = dir;
  }

  async get(key) {
    if (this.entries.has(key)) {
      this.hits += 1;
      return this.entries.get(key);
    }
    this.loads += 1;
    const value = await readFile(join(this.dir, key), 'utf8');
    this.keep(key, value);
    return value;
  }

  keep(key, value) {
    this.entries.set(key, value);
  }

  async set(key, value) {
    await writeFile(join(this.dir, key), value);
    this.entries.set(key, value);
  }
}

/** What was set meanwhile is newer than what was read. */
class CarefulCache extends Cache {
  changed = new Set();

  keep(key, value) {
    if (!this.changed.has(key)) super.keep(key, value);
  }

  async set(key, value) {
    this.changed.add(key);
    await super.set(key, value);
  }
}

async function cached(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const keys = Array.from({ length: 40 }, (_, at) => `key${at}`);
  for (const key of keys) await writeFile(join(dir, key), 'old');
  const cache = new Kind(dir);
  const loads = keys.map((key, at) => sleep(2 * at).then(() => cache.get(key)));
  const change = sleep(60).then(() => cache.set('key17', 'new'));
  await Promise.all([...loads, change]);
  assert.equal(await cache.get('key17'), 'new');
  assert.equal(cache.entries.size, 40);
  await rm(dir, { recursive: true });
}

test('racy', () => cached(Cache));
test('repaired', () => cached(CarefulCache));
