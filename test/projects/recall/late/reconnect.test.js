// A client that connects again when the heartbeat is late; a request that finds it closed connects, too.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Client {
  socket = null;
  sockets = [];

  constructor(port) {
    this.port = port;
  }

  async connect() {
    if (this.socket) return this.socket;
    const socket = net.connect(this.port, '127.0.0.1');
    socket.on('error', () => {});
    await once(socket, 'connect');
    this.sockets.push(socket);
    this.socket = socket;
    return socket;
  }

  async ask(text) {
    const socket = await this.connect();
    socket.write(text);
    const [data] = await once(socket, 'data');
    return String(data);
  }

  async heartbeat() {
    const answer = await Promise.race([this.ask('ping'), sleep(100, 'late')]);
    if (answer === 'late') {
      this.socket?.destroy();
      this.socket = null;
      await this.connect();
    }
  }

  get open() {
    return this.sockets.filter((socket) => !socket.destroyed).length;
  }

  close() {
    for (const socket of this.sockets) socket.destroy();
  }
}

class OneConnection extends Client {
  connecting = null;

  connect() {
    if (this.socket) return this.socket;
    this.connecting ??= super.connect().finally(() => (this.connecting = null));
    return this.connecting;
  }
}

async function talked(Kind) {
  const server = net.createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', (data) => socket.write(data));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new Kind(server.address().port);
  await client.connect();
  const beat = client.heartbeat();
  await sleep(300);
  const asked = Promise.race([client.ask('hello'), sleep(1000)]);
  await Promise.all([beat, asked]);
  const { open } = client;
  client.close();
  server.close();
  assert.equal(open, 1);
}

test('racy', () => talked(Client));
test('repaired', () => talked(OneConnection));
