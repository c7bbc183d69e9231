// Folders and the files in them are indexed under one limit of open handles.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

class Indexer {
  sizes = new Map();
  limit = pLimit(2);

  async file(path) {
    const text = await readFile(path, 'utf8');
    this.sizes.set(path, text.length);
  }

  folder(path) {
    return this.limit(async () => {
      const names = await readdir(path);
      for (const name of names) await this.limit(() => this.file(join(path, name)));
    });
  }
}

class TwoLimits extends Indexer {
  files = pLimit(2);

  folder(path) {
    return this.limit(async () => {
      const names = await readdir(path);
      for (const name of names) await this.files(() => this.file(join(path, name)));
    });
  }
}

async function indexed(indexer) {
  const root = await mkdtemp(join(tmpdir(), 'recall-'));
  for (const name of ['a', 'b']) {
    await mkdir(join(root, name));
    await writeFile(join(root, name, 'x'), name);
  }
  const status = net.createServer((socket) => socket.end(String(indexer.sizes.size)));
  status.listen(0, '127.0.0.1');
  await once(status, 'listening');
  // The second folder is mounted a little later.
  await Promise.all([indexer.folder(join(root, 'a')), sleep(20).then(() => indexer.folder(join(root, 'b')))]);
  assert.equal(indexer.sizes.size, 2);
  status.close();
  await rm(root, { recursive: true });
}

test('racy', () => indexed(new Indexer()));
test('repaired', () => indexed(new TwoLimits()));
