/** Each source of turns is gated: its answer comes before and after that of a file, in different orders. */
import assert from 'node:assert/strict';
import { exec } from 'node:child_process';
import crypto from 'node:crypto';
import dns from 'node:dns/promises';
import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import zlib from 'node:zlib';
import { RandomStrategy } from '../../../rescheduler/strategies/random.ts';
import { Directories, gated, random } from './support.ts';

const ORDERS = 60;
const directories = new Directories();
after(() => directories.remove());

const wasm = (globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> } })
  .WebAssembly;

async function withServer(server: net.Server, use: (port: number) => Promise<unknown>): Promise<void> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await use((server.address() as net.AddressInfo).port);
  server.close();
}

/** Calls `answered` when the answer of the source has come, and ends when all is over. */
type Source = (answered: () => void, directory: string) => Promise<unknown>;

const sources: Record<string, Source> = {
  'net connect': (answered) =>
    withServer(
      net.createServer((s) => s.end()),
      async (port) => {
        const socket = net.connect(port, '127.0.0.1', answered).resume();
        await once(socket, 'close');
      },
    ),
  'net data': (answered) =>
    withServer(
      net.createServer((s) => s.end('x')),
      async (port) => {
        const socket = net.connect(port, '127.0.0.1').on('data', answered);
        await once(socket, 'close');
      },
    ),
  'net close': (answered) =>
    withServer(
      net.createServer((s) => s.end('x')),
      async (port) => {
        const socket = net.connect(port, '127.0.0.1').resume();
        await once(socket, 'end');
        socket.on('close', answered).destroy();
        await once(socket, 'close');
      },
    ),
  'a pipe': async (answered, directory) => {
    const server = net.createServer((s) => s.end('x')).listen(`${directory}/s`);
    await once(server, 'listening');
    await once(net.connect(`${directory}/s`).on('data', answered), 'close');
    server.close();
  },
  'http request': (answered) =>
    withServer(
      http.createServer((_q, r) => {
        answered();
        r.end();
      }),
      async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
        await response.text();
      },
    ),
  'fetch response': (answered) =>
    withServer(
      http.createServer((_q, r) => r.end('x')),
      async (port) => {
        const response = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
        answered();
        await response.text();
      },
    ),
  crypto: (answered) => promisify(crypto.randomBytes)(4).then(answered),
  'crypto.subtle': (answered) => crypto.subtle.digest('SHA-1', Buffer.from('a')).then(answered),
  zlib: (answered) => promisify(zlib.gzip)('a').then(answered),
  'dns.lookup': (answered) => dns.lookup('localhost').then(answered),
  WebAssembly: (answered) => wasm.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(answered),
  'child_process exit': (answered) => promisify(exec)('true').then(answered),
  'a message': async (answered) => {
    const { port1, port2 } = new MessageChannel();
    const came = once(port2, 'message');
    // It comes at once, so that only what came before it can be late.
    await fsp.stat('.');
    await fsp.stat('.');
    port1.postMessage('x');
    await came;
    answered();
    port1.close();
  },
  'fs.watch': async (answered, directory) => {
    const watcher = fs.watch(directory);
    const changed = once(watcher, 'change').then(answered);
    await fsp.mkdir(`${directory}/new`);
    await changed;
    watcher.close();
  },
  'fs.opendir': async (answered, directory) => {
    for await (const _ of await fsp.opendir(directory));
    answered();
  },
  'AbortSignal.timeout': async (answered) => {
    const alive = setTimeout(() => {}, 1000);
    await once(AbortSignal.timeout(1), 'abort');
    clearTimeout(alive);
    answered();
  },
};

describe('answers before and after that of a chain of files', () => {
  for (const [name, source] of Object.entries(sources))
    it(name, async () => {
      const seen = new Set<string>();
      for (let seed = 1; seed <= ORDERS && seen.size < 2; seed++) {
        const directory = directories.fresh();
        const { status, value, error } = await random(async () => {
          const order: string[] = [];
          const files = async () => {
            for (let i = 0; i < 3; i++) await fsp.stat('.');
            order.push('files');
          };
          await Promise.all([files(), source(() => order.push('source'), directory)]);
          return order.join(' ');
        }, seed);
        assert.equal(status, 'ok', String(error));
        seen.add(value as string);
      }
      assert.deepEqual([...seen].sort(), ['files source', 'source files']);
    });
});

describe('WebAssembly in a process that nothing else keeps alive', () => {
  const compile = () => wasm.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]));
  /** Who comes first: what is compiled in the answer to another one, or an immediate made there. */
  const first = async (keptAlive: boolean, seed: number): Promise<string> => {
    const told: string[] = [];
    const main = () =>
      compile().then(() =>
        Promise.all([
          compile().then(() => told.push('compiled')),
          new Promise((resolve) => setImmediate(resolve)).then(() => told.push('immediate')),
        ]),
      );
    assert.equal((await gated(main, { strategy: new RandomStrategy(seed), keptAlive })).status, 'ok');
    return told[0] as string;
  };

  it('is awaited outside of the loop', async () => {
    for (let seed = 1; seed <= 20; seed++) assert.equal(await first(false, seed), 'compiled');
  });

  it('and else comes when it comes', async () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= 20; seed++) seen.add(await first(true, seed));
    assert.ok(seen.has('immediate'));
  });
});
