/**
 * A test that hangs is a finding: what it waits for came too early, and what keeps the process alive waits for nobody. Each
 * program with the bug is stuck in some order, and never with the repair.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { EventEmitter, once } from 'node:events';
import { type FSWatcher, watch } from 'node:fs';
import { access, rm, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporary } from '../../temporary.ts';
import { closeSockets } from './necessity.ts';
import { gated, random } from './support.ts';

const ORDERS = 50;
after(closeSockets);

/** What is watched while a test hangs. */
const watchers: FSWatcher[] = [];
after(() => {
  for (const watcher of watchers) watcher.close();
});

async function listening<Server extends net.Server>(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as net.AddressInfo).port;
}

/** Something that is told once, to those who listen. */
class Signal extends EventEmitter {
  isOver = false;

  tell(): void {
    this.isOver = true;
    this.emit('over');
  }

  /** `patient`: it counts as well if it was told before. */
  async heard(patient: boolean): Promise<void> {
    if (!patient || !this.isOver) await once(this, 'over');
  }
}

/** A signal that is given beside a look: one that takes longer comes too late for it. */
async function givenBeside(patient: boolean): Promise<void> {
  const given = new Signal();
  void look()
    .then(look)
    .then(() => given.tell());
  await look();
  await given.heard(patient);
}

/** How long it takes is for the host to say. */
const look = () => stat('/');

type Program = (repaired: boolean) => Promise<void>;

const programs: Record<string, Program> = {
  'a request to an HTTP server waits for a signal that was given': async (repaired) => {
    const stock = new Signal();
    const server = http.createServer((_, response) =>
      look()
        .then(() => stock.heard(repaired))
        .then(() => response.end('ok')),
    );
    const port = await listening(server);
    const loaded = sleep(5).then(() => stock.tell());
    const [response] = await once(http.get({ port, host: '127.0.0.1', agent: false }), 'response');
    response.resume();
    await loaded;
    server.close();
  },
  'a second request waits while the connection of the first is kept': async (repaired) => {
    const agent = new http.Agent({ keepAlive: true, timeout: 0 });
    const server = http.createServer({ keepAliveTimeout: 0 }, (_, response) => response.end('ok'));
    const port = await listening(server);
    const first = new Signal();
    const get = async () => {
      const [response] = await once(http.get({ port, host: '127.0.0.1', agent }), 'response');
      await once(response.resume(), 'end');
    };
    const behind = look().then(() => first.heard(repaired));
    await get().then(() => first.tell());
    await behind;
    agent.destroy();
    server.close();
  },
  'the answer of a server comes before the client listens for it': async (repaired) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => {});
      void look()
        .then(look)
        .then(() => socket.end('pong'));
    });
    const socket = net.connect(await listening(server), '127.0.0.1');
    const answer = new Signal();
    socket.on('data', () => answer.tell());
    await once(socket, 'connect');
    await look();
    await answer.heard(repaired);
    socket.destroy();
    server.close();
  },
  'the first message after an upgrade comes before its listener': async (repaired) => {
    const server = http.createServer();
    server.on('upgrade', (_, socket: net.Socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: Upgrade\r\n\r\n');
      void look()
        .then(look)
        .then(() => socket.write('welcome'));
    });
    const headers = { connection: 'Upgrade', upgrade: 'echo' };
    const asked = http.get({ port: await listening(server), host: '127.0.0.1', agent: false, headers });
    const [, socket, head] = (await once(asked, 'upgrade')) as [unknown, net.Socket, Buffer];
    const messages = new Signal();
    // It may have come with the headers.
    if (head.length > 0) messages.tell();
    socket.on('data', () => messages.tell());
    await look();
    await messages.heard(repaired);
    socket.destroy();
    server.close();
  },
  'a lock is given back before anybody stands in its queue': async (repaired) => {
    const server = net.createServer();
    await listening(server);
    const queue: (() => void)[] = [];
    let isHeld = false;
    const hold = async (work: () => Promise<unknown>) => {
      if (isHeld) {
        await look();
        if (!repaired || isHeld) await new Promise<void>((resolve) => queue.push(resolve));
      }
      isHeld = true;
      await work();
      isHeld = false;
      queue.shift()?.();
    };
    await Promise.all([hold(() => sleep(5)), hold(look)]);
    server.close();
  },
  'a socket for datagrams is told before it is listened to': async (repaired) => {
    const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const told = new Signal();
    socket.on('message', () => told.tell());
    const peer = dgram.createSocket('udp4');
    peer.send('x', socket.address().port, '127.0.0.1', () => peer.close());
    await look();
    await told.heard(repaired);
    socket.close();
  },
  'a child ends before anybody asks for its end': async (repaired) => {
    const ended = new Signal();
    spawn('true', { stdio: 'ignore' }).on('exit', () => ended.tell());
    await look();
    await ended.heard(repaired);
  },
  'what was aborted is not told to whoever listens later': async (repaired) => {
    const server = net.createServer();
    await listening(server);
    const control = new AbortController();
    const cancelled = sleep(5).then(() => control.abort());
    await look();
    if (!repaired || !control.signal.aborted) await once(control.signal, 'abort');
    await cancelled;
    server.close();
  },
  'a file appears before its folder is watched': async (repaired) => {
    const dir = temporary('hangs');
    const path = join(dir, 'ready');
    const isThere = () =>
      access(path).then(
        () => true,
        () => false,
      );
    const written = look()
      .then(look)
      .then(look)
      .then(() => writeFile(path, ''));
    const wasThere = !repaired && (await isThere());
    if (!wasThere) {
      const watcher = watch(dir);
      watchers.push(watcher);
      const changed = once(watcher, 'change');
      if (!repaired || !(await isThere())) await changed;
      watcher.close();
    }
    await written;
    await rm(dir, { recursive: true });
  },
  'a signal was given while an interval looks after something': async (repaired) => {
    const clock = setInterval(() => {}, 500);
    await givenBeside(repaired);
    clearInterval(clock);
  },
  'a signal was given while a loop polls': async (repaired) => {
    let isOver = false;
    const polls = (async () => {
      while (!isOver) await sleep(500);
    })();
    await givenBeside(repaired);
    isOver = true;
    await polls;
  },
  'nobody in a broadcast channel hears what was said before': async (repaired) => {
    const [one, other] = [new BroadcastChannel('hangs'), new BroadcastChannel('hangs')];
    for (const each of [one, other]) each.unref();
    const said = new Signal();
    other.onmessage = () => said.tell();
    one.postMessage('x');
    await look();
    await said.heard(repaired);
    one.close();
    other.close();
  },
};

describe('what was missed hangs', () => {
  for (const [name, program] of Object.entries(programs))
    it(name, async () => {
      const ends = async (repaired: boolean, seed: number) => {
        const { status, error, doubts } = await random(() => program(repaired), seed);
        closeSockets();
        return error ? String(error) : [status, ...doubts].join(' ');
      };
      assert.equal((await gated(() => program(false))).status, 'ok');
      let end = 'ok';
      for (let seed = 1; seed <= ORDERS && end === 'ok'; seed++) end = await ends(false, seed);
      assert.equal(end, 'deadlock');
      for (let seed = 1; seed <= ORDERS / 2; seed++) assert.equal(await ends(true, seed), 'ok');
    });
});
