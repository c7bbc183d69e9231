// Workers are lent to whoever has a page to index: the one that was given back last comes first.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';

class Indexers {
  constructor(path) {
    const start = () => new Worker(new URL('./lent.worker.js', import.meta.url), { workerData: path });
    this.idle = [start(), start()];
    this.all = [...this.idle];
  }

  async index(page) {
    const worker = this.idle.pop();
    worker.postMessage(page);
    await once(worker, 'message');
    this.idle.push(worker);
  }

  stop() {
    return Promise.all(this.all.map((worker) => worker.terminate()));
  }
}

async function indexed(limit) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const path = join(dir, 'pages');
  await writeFile(path, '');
  const indexers = new Indexers(path);
  await Promise.all([
    limit(() => indexers.index('home')),
    sleep(250).then(() => limit(() => indexers.index('news'))),
  ]);
  await indexers.stop();
  assert.equal(await readFile(path, 'utf8'), 'home\nnews\n');
  await rm(dir, { recursive: true });
}

test('racy', () => indexed((work) => work()));
test('repaired', () => indexed(pLimit(1)));
