// A server of lines that loads its routes; what comes before that is put aside and answered when they are there.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'node:test';

class Router {
  routes = null;
  backlog = [];

  constructor() {
    this.server = net.createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (line) => this.take(socket, String(line)));
    });
  }

  async load() {
    const { name } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    const early = this.backlog.splice(0);
    await readFile(new URL(import.meta.url));
    this.routes = { '/': name };
    for (const [socket, path] of early) this.answer(socket, path);
  }

  take(socket, path) {
    if (this.routes) this.answer(socket, path);
    else this.backlog.push([socket, path]);
  }

  answer(socket, path) {
    socket.end(this.routes[path] ?? 'none');
  }
}

class LateRouter extends Router {
  async load() {
    const { name } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'));
    await readFile(new URL(import.meta.url));
    this.routes = { '/': name };
    for (const [socket, path] of this.backlog.splice(0)) this.answer(socket, path);
  }
}

async function routed(Kind) {
  const router = new Kind();
  router.server.listen(0, '127.0.0.1');
  await once(router.server, 'listening');
  const loaded = router.load();
  const socket = net.connect(router.server.address().port, '127.0.0.1');
  let answer = '';
  socket.on('data', (data) => (answer += data));
  await once(socket, 'connect');
  socket.write('/');
  await once(socket, 'end');
  await loaded;
  assert.equal(answer, 'recall');
  router.server.close();
}

test('racy', () => routed(Router));
test('repaired', () => routed(LateRouter));
