// Forty-eight assets are built; two of them are listed in the manifest.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

class Build {
  sizes = new Map();
  builds = 0;

  constructor(dir) {
    this.dir = dir;
  }

  async asset(name, isListed) {
    const path = join(this.dir, name);
    await writeFile(path, name);
    const { size } = await stat(path);
    this.sizes.set(name, size);
    this.builds += 1;
    if (isListed) await this.list(name);
  }

  async list(name) {
    const path = join(this.dir, 'manifest.json');
    const listed = JSON.parse(await readFile(path, 'utf8'));
    await writeFile(path, JSON.stringify([...listed, name]));
  }
}

class QueuedBuild extends Build {
  one = pLimit(1);

  list(name) {
    return this.one(() => super.list(name));
  }
}

async function built(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  await writeFile(join(dir, 'manifest.json'), '[]');
  const build = new Kind(dir);
  await Promise.all(
    Array.from({ length: 48 }, (_, at) => sleep(4 * at).then(() => build.asset(`asset${at}`, at === 11 || at === 30))),
  );
  assert.equal(build.sizes.size, 48);
  assert.deepEqual(JSON.parse(await readFile(join(dir, 'manifest.json'), 'utf8')).toSorted(), ['asset11', 'asset30']);
  await rm(dir, { recursive: true });
}

test('racy', () => built(Build));
test('repaired', () => built(QueuedBuild));
