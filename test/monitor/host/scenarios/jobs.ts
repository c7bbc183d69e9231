/** Work that Node does outside of JavaScript and answers once: values, errors, early answers. */
import { createHook, executionAsyncId } from 'node:async_hooks';
import crypto from 'node:crypto';
import dns from 'node:dns';
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { called, outcome, type Scenario } from './outcome.ts';

const MODULE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: any };

const response = (body: Uint8Array) =>
  new Response(body, { headers: { 'content-type': 'application/wasm' } });

export const jobs: Record<string, Scenario> = {
  pbkdf2: () => outcome(promisify(crypto.pbkdf2)('a', 'b', 100, 8, 'sha1')),
  'pbkdf2 with an unknown digest': () => outcome(promisify(crypto.pbkdf2)('a', 'b', 100, 8, 'nope')),
  'contexts that hooks carry into callbacks': async () => {
    const contexts = new Map<number, string>();
    const hook = createHook({
      init: (id) => void contexts.set(id, contexts.get(executionAsyncId()) ?? 'none'),
    }).enable();
    const here = (): string | undefined => contexts.get(executionAsyncId());
    try {
      return await new Promise((resolve) => {
        setImmediate(() => {
          contexts.set(executionAsyncId(), 'mine');
          crypto.pbkdf2('a', 'b', 1, 8, 'sha1', () => {
            const first = here();
            crypto.randomBytes(4, () => {
              const second = here();
              dns.lookup('localhost', () => resolve([first, second, here()]));
            });
          });
        });
      });
    } finally {
      hook.disable();
    }
  },
  scrypt: () => outcome(called((k) => crypto.scrypt('a', 'b', 8, { N: 2 }, k))),
  'scrypt out of memory': () => outcome(called((k) => crypto.scrypt('a', 'b', 8, { N: 2 ** 20 }, k))),
  hkdf: async () => (await promisify(crypto.hkdf)('sha256', 'a', 'b', 'c', 8)).byteLength,
  'subtle.digest': () =>
    outcome(crypto.subtle.digest('SHA-256', Buffer.from('a')).then((value) => Buffer.from(value))),
  'subtle.digest of nothing known': () => outcome(crypto.subtle.digest('nope', Buffer.from('a'))),
  'subtle.importKey and sign': async () => {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' };
    const key = await crypto.subtle.importKey('raw', Buffer.from('k'), algorithm, false, ['sign']);
    return outcome(crypto.subtle.sign('HMAC', key, Buffer.from('a')).then((value) => Buffer.from(value)));
  },
  generateKeyPair: async () => Object.keys(await promisify(crypto.generateKeyPair)('ed25519')),
  'randomBytes, randomFill, randomInt': async () => [
    (await promisify(crypto.randomBytes)(4)).length,
    ((await promisify(crypto.randomFill)(Buffer.alloc(4))) as Buffer).length,
    (await promisify(crypto.randomInt as (max: number, k: (e: unknown, n: number) => void) => void)(1)) === 0,
  ],
  gzip: async () => zlib.gunzipSync(await promisify(zlib.gzip)('abc'.repeat(50_000))).length,
  'gunzip of something else': () => outcome(promisify(zlib.gunzip)(Buffer.from('not at all'))),
  'gunzip of a part': () => outcome(promisify(zlib.gunzip)(zlib.gzipSync('hello').subarray(0, 12))),
  brotli: async () => zlib.brotliDecompressSync(await promisify(zlib.brotliCompress)('abc')).toString(),
  'compression in a pipeline': async () => {
    let length = 0;
    const source = Readable.from(['a'.repeat(100_000), 'b'.repeat(100)]);
    await pipeline(source, zlib.createGzip(), zlib.createGunzip(), async (stream: AsyncIterable<Buffer>) => {
      for await (const chunk of stream) length += chunk.length;
    });
    return length;
  },
  'a compressor destroyed at work': async () => {
    const seen: string[] = [];
    const gzip = zlib.createGzip();
    gzip.on('error', (error) => seen.push(error.message)).on('close', () => seen.push('close'));
    gzip.write('abc'.repeat(50_000));
    gzip.destroy();
    await once(gzip, 'close');
    return seen;
  },
  'WebAssembly.instantiate': async () =>
    Object.keys((await wasm.instantiate(MODULE)).instance.exports as object).length,
  'WebAssembly.compile of something else': () => outcome(wasm.compile(new Uint8Array([1, 2]))),
  'WebAssembly.compileStreaming': () => outcome(wasm.compileStreaming(response(MODULE)).then(String)),
  'WebAssembly.instantiateStreaming of a promise': async () =>
    Object.keys(await wasm.instantiateStreaming(Promise.resolve(response(MODULE)))),
  'WebAssembly.instantiateStreaming of what a server sends': async () => {
    const server = http.createServer((_, response) => {
      response.setHeader('content-type', 'application/wasm').write(MODULE.subarray(0, 3));
      setTimeout(() => response.end(MODULE.subarray(3)), 5);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const { instance } = await wasm.instantiateStreaming(fetch(`http://127.0.0.1:${port}/`));
    server.close();
    server.closeAllConnections();
    return Object.keys(instance.exports).length;
  },
  'WebAssembly.compileStreaming of something else': () =>
    outcome(wasm.compileStreaming(response(new Uint8Array([1, 2])))),
  'WebAssembly.compileStreaming of no response': () => outcome(wasm.compileStreaming(MODULE)),
  'WebAssembly.compileStreaming of what fails': () =>
    outcome(wasm.compileStreaming(Promise.reject(new RangeError('no')))),
  'dns.lookup': () => outcome(promisify(dns.lookup)('localhost').then(({ family }) => family > 0)),
  'dns.lookup all': async () => Array.isArray(await dns.promises.lookup('localhost', { all: true })),
  'dns.lookup of an address': () => outcome(dns.promises.lookup('127.0.0.1')),
  'dns.lookup with a wrong option': () => outcome((async () => dns.promises.lookup('x', { family: 5 }))()),
};
