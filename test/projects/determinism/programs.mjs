// Programs that take at least fifty steps each: every kind of request that is held, alone and mixed.
import fs from 'node:fs';
import { mkdir, open, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setImmediate as immediate, setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { harness } from '../../../harnesses/api.ts';

const log = ({ dir }) => ({ dir, log: [], total: 0, lock: new Mutex(), at: (name) => join(dir, name) });
const program = (name, tasks, check = () => {}) => harness({ name, setup: log, tasks, check });
const times = async (n, body) => {
  for (let i = 0; i < n; i++) await body(i);
};

program('timers', {
  short: (s) => times(20, (i) => sleep(1 + (i % 3)).then(() => s.log.push('short'))),
  long: (s) => times(15, (i) => sleep(2 + (i % 5)).then(() => s.log.push('long'))),
  together: (s) => Promise.all(Array.from({ length: 20 }, (_, i) => sleep(i, s).then((t) => t.log.push(i)))),
});

program('intervals and cancelled timers', {
  ticking: (s) =>
    new Promise((resolve) => {
      const timer = setInterval(() => s.log.push('tick') && s.total++ === 25 && resolve(clearInterval(timer)), 3);
    }),
  debounced: (s) =>
    times(15, async (i) => {
      clearTimeout(s.pending);
      s.pending = setTimeout(() => s.log.push(`flush ${i}`), 4);
      await sleep(2 + (i % 4));
    }),
  unreferenced: (s) => times(10, (i) => sleep(i, null, { ref: i % 2 === 0 }).then(() => s.log.push('ref'))),
});

program('immediates', {
  batches: (s) => times(10, (i) => Promise.all([immediate(), immediate()]).then(() => s.log.push(i))),
  chained: (s) => times(20, () => immediate().then(() => s.log.push('chained'))),
  timed: (s) => times(12, () => sleep(0).then(() => s.log.push('timed'))),
});

const add = async (s, file) => {
  const before = Number(await readFile(s.at(file), 'utf8').catch(() => 0));
  await writeFile(s.at(file), String(before + 1));
};
program('reads and writes', {
  a: (s) => times(6, () => add(s, 'x')),
  b: (s) => times(6, (i) => add(s, i % 2 ? 'x' : 'y')),
  c: (s) => times(3, () => stat(s.at('x')).then(({ size }) => s.log.push(size), (e) => s.log.push(e.code))),
});

program('folders and renames', {
  maker: (s) =>
    times(5, async (i) => {
      await mkdir(s.at(`d${i}`), { recursive: true });
      await writeFile(s.at(`d${i}/f`), 'f');
      await rename(s.at(`d${i}/f`), s.at('latest'));
    }),
  cleaner: (s) => times(4, () => unlink(s.at('latest')).catch((e) => s.log.push(e.code))),
  lister: (s) => times(6, async () => s.log.push((await readdir(s.dir)).length)),
});

program('streams', {
  writer: async (s) => {
    const out = fs.createWriteStream(s.at('text'), { highWaterMark: 16 });
    for (let i = 0; i < 12; i++) out.write(`line ${i}\n`);
    await new Promise((resolve) => out.end(resolve));
  },
  copier: async (s) => {
    await writeFile(s.at('source'), 'x'.repeat(200));
    const from = fs.createReadStream(s.at('source'), { highWaterMark: 32 });
    await pipeline(from, fs.createWriteStream(s.at('copy')));
  },
  reader: async (s) => {
    const file = await open(s.at('own'), 'w+');
    await times(4, (i) => file.write(`${i}`));
    s.log.push((await file.read(Buffer.alloc(8), 0, 8, 0)).bytesRead);
    await file.close();
  },
});

const locked = (s, ms) =>
  s.lock.runExclusive(async () => {
    const before = s.total;
    await sleep(ms);
    await stat(s.dir);
    s.total = before + 1;
  });
program('locks', {
  a: (s) => times(8, () => locked(s, 1)),
  b: (s) => times(8, () => locked(s, 2)),
  c: (s) => times(6, () => locked(s, 3).then(() => immediate())),
});

const mixed = {
  timers: (s) => times(10, (i) => sleep(1 + (i % 2)).then(() => s.log.push(Date.now() % 2 ? 'odd' : 'even'))),
  files: (s) => times(5, () => add(s, 'x')),
  immediates: (s) => times(10, () => immediate().then(() => s.log.push('immediate'))),
  callbacks: (s) =>
    new Promise((resolve) => {
      const next = (n) => fs.stat(s.dir, () => (n ? setImmediate(next, n - 1) : setTimeout(resolve, 5)));
      next(6);
    }),
};
program('mixed', mixed);

program('a lost update at the end', {
  first: (s) => times(25, () => sleep(2)).then(() => lose(s)),
  second: (s) => times(24, () => sleep(2)).then(() => lose(s)),
}, (s) => {
  if (s.total !== 2) throw new Error(`${s.total} of 2`);
});
async function lose(s) {
  const before = s.total;
  await stat(s.dir);
  await immediate();
  s.total = before + 1;
}

program('a deadlock at the end', {
  first: (s) => times(25, () => sleep(2)).then(() => nested(s, 'one', 'two')),
  second: (s) => times(25, () => sleep(2)).then(() => nested(s, 'two', 'one')),
});
async function nested(s, outer, inner) {
  s.one ??= new Mutex();
  s.two ??= new Mutex();
  await s[outer].runExclusive(async () => {
    await stat(s.dir);
    await s[inner].runExclusive(() => stat(s.dir));
  });
}
