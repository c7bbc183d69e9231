// A client that is told when it may send, over a connection that a timer opens.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { stat } from 'node:fs/promises';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

class Connection extends EventEmitter {
  state = 'closed';

  open() {
    this.state = 'open';
    this.emit('open');
  }

  /** Looks at the certificate before it waits. */
  async ready() {
    await stat(new URL(import.meta.url));
    await new Promise((resolve) => this.once('open', resolve));
    return this.state;
  }
}

class Remembering extends Connection {
  opened = new Promise((resolve) => this.once('open', resolve));

  async ready() {
    await stat(new URL(import.meta.url));
    await this.opened;
    return this.state;
  }
}

async function greeted(connection) {
  const server = net.createServer((socket) => socket.end('hello'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const [state] = await Promise.all([connection.ready(), sleep(40).then(() => connection.open())]);
  assert.equal(state, 'open');
  server.close();
}

test('racy', () => greeted(new Connection()));
test('repaired', () => greeted(new Remembering()));
