// Spool files: a writer that finds its folder gone makes it again with an empty index.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';

class Spool {
  index = new Map();

  constructor(dir) {
    this.dir = dir;
  }

  async put(name, text) {
    const path = join(this.dir, name);
    try {
      await writeFile(path, text);
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
      await this.restore();
      await writeFile(path, text);
    }
    this.index.set(name, text.length);
  }

  async restore() {
    await mkdir(this.dir, { recursive: true });
    this.index = new Map();
  }

  async clean() {
    await rm(this.dir, { recursive: true, force: true });
    this.index = new Map();
    await mkdir(this.dir, { recursive: true });
  }
}

class GuardedSpool extends Spool {
  mutex = new Mutex();

  put(name, text) {
    return this.mutex.runExclusive(() => super.put(name, text));
  }

  clean() {
    return this.mutex.runExclusive(() => super.clean());
  }
}

async function spooled(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const spool = new Kind(join(dir, 'spool'));
  await spool.clean();
  await Promise.all([
    spool.clean(),
    sleep(60).then(() => spool.put('a', 'one')),
    sleep(60).then(() => spool.put('b', 'three')),
  ]);
  for (const [name, length] of [['a', 3], ['b', 5]]) {
    const there = await readFile(join(dir, 'spool', name), 'utf8').catch(() => null);
    if (there !== null) assert.equal(spool.index.get(name), length, name);
  }
  await rm(dir, { recursive: true });
}

test('racy', () => spooled(Spool));
test('repaired', () => spooled(GuardedSpool));
