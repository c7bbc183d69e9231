// A semaphore that notes each waiting caller in a journal; two uploads share one permit.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Semaphore {
  waiting = [];

  constructor(permits, journal) {
    this.permits = permits;
    this.journal = journal;
  }

  async acquire(who) {
    if (this.permits > 0) {
      this.permits -= 1;
      return;
    }
    await appendFile(this.journal, `${who} waits\n`);
    await new Promise((resolve) => this.waiting.push(resolve));
  }

  release() {
    const next = this.waiting.shift();
    if (next) next();
    else this.permits += 1;
  }
}

class QueueFirst extends Semaphore {
  async acquire(who) {
    if (this.permits > 0) {
      this.permits -= 1;
      return;
    }
    const turn = new Promise((resolve) => this.waiting.push(resolve));
    await appendFile(this.journal, `${who} waits\n`);
    await turn;
  }
}

async function uploads(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const received = [];
  const server = net.createServer((socket) => socket.on('data', (data) => received.push(String(data))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const semaphore = new Kind(1, join(dir, 'journal'));
  const upload = async (name) => {
    await semaphore.acquire(name);
    const socket = net.connect(server.address().port, '127.0.0.1');
    await once(socket, 'connect');
    await sleep(30);
    socket.end(name);
    await once(socket, 'close');
    semaphore.release();
  };
  await Promise.all([upload('one'), upload('two')]);
  assert.deepEqual(received.toSorted(), ['one', 'two']);
  assert.match(await readFile(join(dir, 'journal'), 'utf8'), /two waits/);
  server.close();
  await rm(dir, { recursive: true });
}

test('racy', () => uploads(Semaphore));
test('repaired', () => uploads(QueueFirst));
