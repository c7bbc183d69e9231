// Waits for a file that another part of the program writes when it is ready.
import assert from 'node:assert/strict';
import { watch } from 'node:fs';
import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

class Mailbox {
  constructor(dir) {
    this.dir = dir;
    this.path = join(dir, 'ready');
  }

  isThere() {
    return stat(this.path).then(
      () => true,
      () => false,
    );
  }

  appears(watcher) {
    return new Promise((resolve) => watcher.on('change', (_, name) => name === 'ready' && resolve()));
  }

  async receive() {
    if (!(await this.isThere())) {
      this.watcher = watch(this.dir);
      await this.appears(this.watcher);
    }
    this.watcher?.close();
    return await readFile(this.path, 'utf8');
  }

  async send(text) {
    await writeFile(join(this.dir, 'draft'), text);
    await rename(join(this.dir, 'draft'), this.path);
  }
}

class WatchFirst extends Mailbox {
  async receive() {
    this.watcher = watch(this.dir);
    const appears = this.appears(this.watcher);
    if (!(await this.isThere())) await appears;
    this.watcher.close();
    return await readFile(this.path, 'utf8');
  }
}

async function exchanged(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const mailbox = new Kind(dir);
  const [text] = await Promise.all([mailbox.receive(), stat(dir).then(() => mailbox.send('hello'))]);
  assert.equal(text, 'hello');
  await rm(dir, { recursive: true });
}

test('racy', () => exchanged(Mailbox));
test('repaired', () => exchanged(WatchFirst));
