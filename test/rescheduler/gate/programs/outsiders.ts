/**
 * Programs that wait for what comes from outside while nothing but an open server or port keeps them alive: it comes, so
 * they are not stuck. A child that is gone has left somebody behind who is nobody's child.
 */
import { spawn } from 'node:child_process';
import dgram from 'node:dgram';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import { MessageChannel, Worker } from 'node:worker_threads';
import { natively } from '../../../../rescheduler/gate/session.ts';
import type { Case } from './program.ts';

/** Longer than a run waits for the news of a child, s. */
const A_WHILE = 0.4;

/** Does something a while later, from outside. */
async function later(command: string): Promise<void> {
  const told = `p=$PPID; (sleep ${A_WHILE}; ${command}) >&- 2>&- &`;
  await once(spawn('bash', ['-c', told], { stdio: 'ignore' }), 'exit');
}

/** Keeps the process alive. */
async function beside<T>(work: () => Promise<T>): Promise<T> {
  const { port1, port2 } = new MessageChannel();
  port1.on('message', () => {});
  try {
    return await work();
  } finally {
    port1.close();
    port2.close();
  }
}

async function connected(port: number, before: (port: number) => Promise<unknown>): Promise<void> {
  const server = net.createServer((socket) => socket.destroy()).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const connection = once(server, 'connection');
  await before((server.address() as net.AddressInfo).port);
  await connection;
  server.close();
}

/** A port of which nobody could say that the kernel has chosen it for this server. */
async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const dial = (port: number): Promise<void> => later(`exec 3<>/dev/tcp/127.0.0.1/${port}`);

/** Rule C7: none of them is stuck. What it is that comes cannot be held. */
const needs = { needs: 'outsiders', doubtful: true, orders: 2 } as const;

export const outsiders: Record<string, Case> = {
  'a child that nobody waits for ends': {
    ...needs,
    run: () =>
      beside(async () => {
        const child = spawn('sleep', [String(A_WHILE)], { stdio: 'ignore' });
        child.unref();
        await once(child, 'exit');
      }),
  },
  'a watcher in a directory of a random name hears of who was told': {
    ...needs,
    run: (dir) =>
      beside(async () => {
        const own = fs.mkdtempSync(`${dir}/own-`);
        const watcher = fs.watch(own);
        watcher.unref();
        const changed = once(watcher, 'change');
        await later(`touch ${own}/new`);
        await changed;
        watcher.close();
      }),
  },
  'a watcher that keeps nobody alive hears of others': {
    ...needs,
    run: (dir) =>
      beside(async () => {
        const watcher = fs.watch(dir);
        watcher.unref();
        const changed = once(watcher, 'change');
        await later(`touch ${dir}/new`);
        await changed;
        watcher.close();
      }),
  },
  'a signal comes from outside': {
    ...needs,
    run: () =>
      beside(async () => {
        let hear = () => {};
        const heard = new Promise<void>((resolve) => {
          hear = resolve;
        });
        process.on('SIGWINCH', hear);
        await later('kill -WINCH $p');
        await heard;
        process.off('SIGWINCH', hear);
      }),
  },
  'somebody connects who was told of the server': { ...needs, run: () => connected(0, dial) },
  'somebody connects to a port that anybody may know': {
    ...needs,
    run: async () => {
      const port = await freePort();
      await natively(() => dial(port));
      await connected(port, async () => {});
    },
  },
  'somebody sends to a port that was told': {
    ...needs,
    run: async () => {
      const socket = dgram.createSocket('udp4').bind(0, '127.0.0.1');
      await once(socket, 'listening');
      const came = once(socket, 'message');
      await later(`echo x > /dev/udp/127.0.0.1/${socket.address().port}`);
      await came;
      socket.close();
    },
  },
  'a timer that keeps nobody alive, set before, goes off': {
    ...needs,
    run: () =>
      beside(async () => {
        await new Promise((resolve) => natively(() => setTimeout(resolve, 1000 * A_WHILE).unref()));
      }),
  },
  'a thread that nobody waits for says something': {
    ...needs,
    run: async () => {
      const server = net.createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      const code = `setTimeout(() => require('worker_threads').parentPort.postMessage('x'), ${A_WHILE * 1000})`;
      const worker = natively(() => new Worker(code, { eval: true }));
      const said = once(worker, 'message');
      worker.unref();
      await said;
      server.close();
    },
  },
};
