// Jobs tell of their end by an event; whoever submits one writes the audit trail first.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { watch } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

class Job extends EventEmitter {
  constructor(path) {
    super();
    this.path = path;
  }

  async run() {
    await stat(this.path);
    const text = await readFile(this.path, 'utf8');
    await stat(this.path);
    this.emit('done', text.split('\n').length);
  }
}

class Runner {
  constructor(dir) {
    this.dir = dir;
    this.watcher = watch(dir);
  }

  async submit(name) {
    const job = new Job(join(this.dir, name));
    job.run();
    await appendFile(join(this.dir, 'audit.log'), `${name}\n`);
    const [lines] = await once(job, 'done');
    return lines;
  }

  close() {
    this.watcher.close();
  }
}

class EarlyListener extends Runner {
  async submit(name) {
    const job = new Job(join(this.dir, name));
    const done = once(job, 'done');
    job.run();
    await appendFile(join(this.dir, 'audit.log'), `${name}\n`);
    const [lines] = await done;
    return lines;
  }
}

async function submitted(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  await writeFile(join(dir, 'list'), 'a\nb\nc');
  const runner = new Kind(dir);
  assert.equal(await runner.submit('list'), 3);
  runner.close();
  await rm(dir, { recursive: true });
}

test('racy', () => submitted(Runner));
test('repaired', () => submitted(EarlyListener));
