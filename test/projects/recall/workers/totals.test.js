// Words are counted in a worker; the totals are kept in the main thread, in a file.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import pLimit from 'p-limit';

class Totals {
  waiting = new Map();
  asked = 0;

  constructor(path, limit) {
    this.path = path;
    this.limit = limit;
    this.worker = new Worker(new URL('./totals.worker.js', import.meta.url));
    this.worker.on('message', ({ id, count }) => this.waiting.get(id)(count));
  }

  count(words) {
    const id = ++this.asked;
    const answer = new Promise((resolve) => this.waiting.set(id, resolve));
    this.worker.postMessage({ id, words });
    return answer;
  }

  async add(words) {
    const count = await this.count(words);
    await this.limit(async () => {
      const total = Number(await readFile(this.path, 'utf8'));
      await writeFile(this.path, String(total + count));
    });
  }
}

async function totalled(limit) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  await writeFile(join(dir, 'total'), '0');
  const totals = new Totals(join(dir, 'total'), limit);
  await Promise.all([totals.add(['import']), sleep(400).then(() => totals.add(['await', 'text']))]);
  await totals.worker.terminate();
  assert.equal(await readFile(join(dir, 'total'), 'utf8'), '3');
  await rm(dir, { recursive: true });
}

test('racy', () => totalled((work) => work()));
test('repaired', () => totalled(pLimit(1)));
