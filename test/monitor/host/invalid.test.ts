/** Invalid calls of everything that is wrapped fail as on plain Node: at once, in the callback or in the promise, by the same error. */

import assert from 'node:assert/strict';
import { exec, execFile, fork, spawn } from 'node:child_process';
import crypto from 'node:crypto';
import dgram from 'node:dgram';
import dns from 'node:dns';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import net from 'node:net';
import { after, describe, it } from 'node:test';
import timers from 'node:timers/promises';
import zlib from 'node:zlib';
import { isRun } from '../../extent.ts';
import { Directories, gated } from '../../rescheduler/gate/support.ts';

const directories = new Directories();
const home = process.cwd();
after(() => {
  process.chdir(home);
  directories.remove();
});

type Call = (...args: any[]) => unknown;

/** Called with what stands here; `CALLBACK`: told how it went. */
interface Row {
  readonly call: Call;
  readonly args: readonly unknown[];
}

const CALLBACK = Symbol('callback');
const bytes = () => Buffer.alloc(4);

/** Of files: arguments in front of the callback. */
const FILES: Readonly<Record<string, readonly unknown[]>> = {
  access: ['a', 0],
  appendFile: ['a', 'x'],
  chown: ['none', 0, 0],
  close: [9999],
  copyFile: ['a', 'b', 0],
  cp: ['a', 'b', {}],
  fchown: [9999, 0, 0],
  fdatasync: [9999],
  fstat: [9999, {}],
  fsync: [9999],
  ftruncate: [9999, 0],
  futimes: [9999, 1, 1],
  glob: ['*'],
  lchown: ['none', 0, 0],
  link: ['none', 'b'],
  lstat: ['a', {}],
  lutimes: ['a', 1, 1],
  mkdir: ['d'],
  mkdtemp: ['t-', {}],
  open: ['a', 'r'],
  opendir: ['.', {}],
  read: [9999, bytes(), 0, 4, 0],
  readFile: ['a', {}],
  readdir: ['.', {}],
  readlink: ['a', {}],
  readv: [9999, [bytes()], 0],
  realpath: ['a', {}],
  rename: ['none', 'b'],
  rm: ['none', {}],
  rmdir: ['none', {}],
  stat: ['a', {}],
  statfs: ['a', {}],
  symlink: ['a', 'l', 'file'],
  truncate: ['a', 0],
  unlink: ['none'],
  utimes: ['a', 1, 1],
  write: [9999, bytes(), 0, 4, 0],
  writeFile: ['a', 'x', {}],
  writev: [9999, [bytes()], 0],
};

const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: any };
const key = 'k'.repeat(16);
const JOBS: Readonly<Record<string, Row>> = {
  // Node dies of some wrong modes.
  'fs.mkdir recursive': {
    call: (path, done) => fs.mkdir(path, { recursive: true }, done),
    args: ['d/e', CALLBACK],
  },
  'fs.chmod': { call: (path, done) => fs.chmod(path, 0o644, done), args: ['a', CALLBACK] },
  'fs.fchmod': { call: (fd, done) => fs.fchmod(fd, 0o644, done), args: [9999, CALLBACK] },
  'crypto.randomBytes': { call: crypto.randomBytes, args: [4, CALLBACK] },
  'crypto.randomFill': { call: crypto.randomFill, args: [bytes(), 0, 4, CALLBACK] },
  'crypto.randomInt': { call: crypto.randomInt, args: [0, 9, CALLBACK] },
  'crypto.pbkdf2': { call: crypto.pbkdf2, args: ['p', 's', 1, 8, 'sha1', CALLBACK] },
  'crypto.scrypt': { call: crypto.scrypt, args: ['p', 's', 8, { N: 2 }, CALLBACK] },
  'crypto.hkdf': { call: crypto.hkdf, args: ['sha1', key, 's', 'i', 8, CALLBACK] },
  'crypto.generateKey': { call: crypto.generateKey, args: ['hmac', { length: 64 }, CALLBACK] },
  'crypto.generateKeyPair': {
    call: crypto.generateKeyPair,
    args: ['ec', { namedCurve: 'P-256' }, CALLBACK],
  },
  'crypto.checkPrime': { call: crypto.checkPrime, args: [7n, {}, CALLBACK] },
  'crypto.generatePrime': { call: crypto.generatePrime, args: [8, {}, CALLBACK] },
  'crypto.pseudoRandomBytes': { call: crypto.pseudoRandomBytes, args: [4, CALLBACK] },
  'crypto.subtle.digest': {
    call: (...args) => crypto.subtle.digest(...(args as [any, any])),
    args: ['SHA-1', bytes()],
  },
  'dns.lookup': { call: dns.lookup, args: ['127.0.0.1', {}, CALLBACK] },
  'dns.lookupService': { call: dns.lookupService, args: ['999.0.0.1', 22, CALLBACK] },
  'dns.resolve4': { call: dns.resolve4, args: ['localhost', {}, CALLBACK] },
  'dns.resolve': { call: dns.resolve, args: ['localhost', 'A', CALLBACK] },
  'dns.reverse': { call: dns.reverse, args: ['127.0.0.1', CALLBACK] },
  'dns.promises.resolve4': { call: dns.promises.resolve4, args: ['localhost', {}] },
  'dns.promises.lookupService': { call: dns.promises.lookupService, args: ['999.0.0.1', 22] },
  'dns.promises.lookup': { call: dns.promises.lookup, args: ['127.0.0.1', {}] },
  'dns.promises.reverse': { call: dns.promises.reverse, args: ['127.0.0.1'] },
  'zlib.gzip': { call: zlib.gzip, args: ['x', {}, CALLBACK] },
  'zlib.deflateRaw': { call: zlib.deflateRaw, args: ['x', {}, CALLBACK] },
  'zlib.gunzip': { call: zlib.gunzip, args: [zlib.gzipSync('x'), {}, CALLBACK] },
  'zlib.unzip': { call: zlib.unzip, args: [zlib.gzipSync('x'), {}, CALLBACK] },
  'zlib.brotliDecompress': {
    call: zlib.brotliDecompress,
    args: [zlib.brotliCompressSync('x'), {}, CALLBACK],
  },
  'zlib.inflate': { call: zlib.inflate, args: [zlib.deflateSync('x'), {}, CALLBACK] },
  'zlib.brotliCompress': { call: zlib.brotliCompress, args: ['x', {}, CALLBACK] },
  'WebAssembly.compileStreaming': { call: wasm.compileStreaming, args: [Promise.resolve(bytes())] },
  'WebAssembly.instantiateStreaming': { call: wasm.instantiateStreaming, args: [bytes(), {}] },
  setTimeout: { call: (fn, ms) => void setTimeout(fn, ms), args: [CALLBACK, 1] },
  setImmediate: { call: (fn) => void setImmediate(fn), args: [CALLBACK] },
  queueMicrotask: { call: queueMicrotask, args: [CALLBACK] },
  'process.hrtime': { call: (before) => void process.hrtime(before), args: [[0, 0]] },
  'performance.mark': { call: (...args) => void performance.mark(...(args as [any])), args: ['m', {}] },
  'performance.measure': {
    call: (...args) => void performance.measure(...(args as [any])),
    args: ['m', { start: 0 }],
  },
  'timers.setInterval': {
    call: async (...args) => {
      const beats = timers.setInterval(...(args as []));
      await beats.next();
      await beats.return?.();
    },
    args: [1, 0, {}],
  },
  'scheduler.wait': { call: (...args) => timers.scheduler.wait(...(args as [any])), args: [1, {}] },
  clearTimeout: { call: clearTimeout as Call, args: [0] },
  clearImmediate: { call: clearImmediate as Call, args: [null] },
  'process.nextTick': { call: (fn) => process.nextTick(fn), args: [CALLBACK] },
  'timers.setTimeout': { call: timers.setTimeout, args: [1, 0, {}] },
  'timers.setImmediate': { call: timers.setImmediate, args: [0, {}] },
  'AbortSignal.timeout': { call: (ms) => void AbortSignal.timeout(ms), args: [1] },
  exec: { call: (...args) => void exec(...(args as [any, any, any])), args: ['true', {}, CALLBACK] },
  execFile: { call: (...args) => void execFile(...(args as [any])), args: ['true', [], {}, CALLBACK] },
  spawn: { call: (...args) => void spawn(...(args as [any])).on('error', () => {}), args: ['true', [], {}] },
  fork: { call: (file) => (typeof file === 'string' ? 0 : void fork(file)), args: ['none'] },
  'net.connect': {
    call: (port, host) =>
      net
        .connect(port, host)
        .on('error', () => {})
        .destroy() && 0,
    args: [9, '127.0.0.1'],
  },
  'server.listen': {
    call: (...args) =>
      void net
        .createServer()
        .on('error', () => {})
        .listen(...args)
        .close(),
    args: [0, '127.0.0.1', 1],
  },
  'dgram.createSocket': { call: (type) => void dgram.createSocket(type).close(), args: ['udp4'] },
  'dgram.bind': { call: bindOf, args: [0, '127.0.0.1'] },
};

function bindOf(...args: unknown[]): void {
  const socket = dgram.createSocket('udp4').on('error', () => {});
  try {
    socket.bind(...(args as [any]));
  } finally {
    socket.close();
  }
}

const ROWS: Readonly<Record<string, Row>> = {
  ...Object.fromEntries(
    Object.entries(FILES).flatMap(([name, args]) => {
      const calls: [string, Row][] = [];
      const called = (fs as unknown as Record<string, Call>)[name];
      const promised = (fsp as unknown as Record<string, Call>)[name];
      if (called) calls.push([`fs.${name}`, { call: called, args: [...args, CALLBACK] }]);
      if (promised && name !== 'glob') calls.push([`fs.promises.${name}`, { call: promised, args }]);
      return calls;
    }),
  ),
  ...JOBS,
};

/** Wrong in one way or another wherever they stand; some are right here and there. */
const WRONG: readonly unknown[] = [
  ...[
    undefined,
    null,
    '',
    'none',
    -1,
    1.5,
    Number.NaN,
    2 ** 31,
    2 ** 53,
    12n,
    true,
    {},
    [],
    () => {},
    Symbol('x'),
  ],
  ...['no\0ne', new Date(0), Buffer.from('none')],
];

/** Of handles that are open: Node 26 throws where it collects one. */
const kept: unknown[] = [];

/** How the call goes: what is thrown, answered or rejected, and whether it was within the call. */
function outcome({ call }: Row, args: readonly unknown[]): Promise<string> {
  return new Promise((resolve) => {
    let isOver = false;
    const tell = (how: string, error?: unknown) => {
      const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
      resolve(`${how}${isOver ? '' : ' within the call'} ${error ? String(code ?? name) : 'well'}`);
    };
    const callback = (error?: unknown) => tell('answered', error instanceof Error ? error : undefined);
    const given = args.map((arg) => (arg === CALLBACK ? callback : arg));
    try {
      const value = call(...given);
      isOver = true;
      if (value instanceof Promise)
        value.then(
          (opened) => {
            kept.push(opened);
            tell('settled');
          },
          (error) => tell('rejected', error),
        );
      else if (!args.includes(CALLBACK)) tell('returned');
    } catch (error) {
      tell('threw', error);
    }
  });
}

const name = (value: unknown): string =>
  typeof value === 'symbol'
    ? 'symbol'
    : typeof value === 'string'
      ? JSON.stringify(value)
      : (Object.prototype.toString.call(value) + String(value)).slice(0, 30);

function inFreshFolder(): void {
  process.chdir(directories.fresh());
  fs.writeFileSync('a', 'x');
}

/** Calls that Node does not check: an exception comes later that nobody can catch. */
const UNCAUGHT: Readonly<Record<string, (i: number, wrong: unknown) => boolean>> = {
  'fs.readFile': (i, wrong) => i === 0 && wrong === -1,
  'fs.rm': (i) => i === 2,
};

describe('fails as natively', () => {
  for (const [at, [api, row]] of Object.entries(ROWS).entries())
    it(api, async () => {
      for (const [i, right] of row.args.entries()) {
        // Rows are answered by few functions: each takes its part of what may be wrong.
        const wrongs = WRONG.filter((_, which) => isRun(at + i + which, 2));
        for (const wrong of right === CALLBACK ? [{}] : wrongs) {
          // A function among the options of a file is the callback, and nobody is told.
          if (UNCAUGHT[api]?.(i, wrong) || (api.startsWith('fs.') && typeof wrong === 'function')) continue;
          const args = row.args.with(i, wrong);
          let told = await both(row, args);
          // A call that a signal has interrupted is made again, and finds what it has made: what is ours is so each time.
          if (told.here !== told.native) told = await both(row, args);
          assert.equal(told.here, told.native, `argument ${i} is ${name(wrong)}`);
        }
      }
    });
});

async function both(row: Row, args: readonly unknown[]) {
  inFreshFolder();
  const native = await limited(outcome(row, args));
  inFreshFolder();
  const { value, status, error } = await gated(() => limited(outcome(row, args)));
  return { native, here: status === 'ok' ? value : `${status} ${String(error)}` };
}

/** Nobody is told how it went. */
const limited = (told: Promise<string>): Promise<string> =>
  Promise.race([told, new Promise<string>((resolve) => setTimeout(resolve, 1500, 'nothing is told'))]);
