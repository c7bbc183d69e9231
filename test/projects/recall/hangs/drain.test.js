// A server that lets its requests end before it closes, and flushes its log meanwhile.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

class Work extends EventEmitter {
  active = 0;

  constructor(log) {
    super();
    this.log = log;
  }

  async handle(socket) {
    this.active += 1;
    await stat(this.log).catch(() => {});
    await stat(this.log).catch(() => {});
    await appendFile(this.log, 'request\n');
    socket.write('done');
    this.active -= 1;
    if (this.active === 0) this.emit('drain');
  }

  async drained() {
    if (this.active === 0) return;
    await appendFile(this.log, 'draining\n');
    await once(this, 'drain');
  }
}

class LoopingWork extends Work {
  async drained() {
    if (this.active > 0) await appendFile(this.log, 'draining\n');
    while (this.active > 0) await once(this, 'drain');
  }
}

async function stopped(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const work = new Kind(join(dir, 'log'));
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    work.handle(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const connected = once(server, 'connection');
  const socket = net.connect(server.address().port, '127.0.0.1');
  await connected;
  await work.drained();
  const [answer] = await once(socket, 'data');
  assert.equal(String(answer), 'done');
  assert.match(await readFile(join(dir, 'log'), 'utf8'), /request/);
  socket.destroy();
  server.close();
  await rm(dir, { recursive: true });
}

test('racy', () => stopped(Work));
test('repaired', () => stopped(LoopingWork));
