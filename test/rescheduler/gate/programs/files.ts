/** File programs that are right in every order. */

import { once } from 'node:events';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer, type Case, impossible } from './program.ts';

const callbackStat = (path: string) =>
  answer<fs.Stats>((resolve, reject) =>
    fs.stat(path, (error, stats) => (error ? reject(error) : resolve(stats))),
  );

export const files: Record<string, Case> = {
  'held stat results are not mixed up': {
    needs: 'copies',
    run: async (d) => {
      fs.writeFileSync(`${d}/a`, '1');
      fs.mkdirSync(`${d}/sub`);
      const [a, b] = await Promise.all([callbackStat(`${d}/a`), callbackStat(`${d}/sub`), fsp.stat(d)]);
      if (!a.isFile() || !b.isDirectory() || a.ino === b.ino) impossible('mixed up');
    },
  },
  'what was answered has been done': {
    needs: 'effects',
    run: async (d) => {
      await fsp.mkdir(`${d}/new`);
      if (!fs.existsSync(`${d}/new`)) impossible('not there');
    },
  },
  'own effects are visible after the await': {
    run: async (d) => {
      await fsp.writeFile(`${d}/a`, '1');
      if (!fs.existsSync(`${d}/a`)) impossible('not there');
      await fsp.unlink(`${d}/a`);
      if (fs.existsSync(`${d}/a`)) impossible('still there');
      await fsp.mkdir(`${d}/x/y`, { recursive: true });
      await fsp.writeFile(`${d}/x/y/z`, '1');
      if (fs.readFileSync(`${d}/x/y/z`, 'utf8') !== '1') impossible('empty');
    },
  },
  'write to a temporary file, then rename': {
    run: async (d) => {
      const file = `${d}/t`;
      fs.writeFileSync(file, '{"a":0}');
      let n = 0;
      const write = async (a: number) => {
        const temporary = `${file}.${++n}`;
        await fsp.writeFile(temporary, JSON.stringify({ a, pad: 'x'.repeat(a * 5) }));
        await fsp.rename(temporary, file);
      };
      const read = async () => JSON.parse(await fsp.readFile(file, 'utf8'));
      await Promise.all([write(1), read(), write(3), read()]);
      JSON.parse(fs.readFileSync(file, 'utf8'));
    },
  },
  'mkdir that expects EEXIST': {
    run: async (d) => {
      let n = 0;
      const make = async () => {
        await fsp.mkdir(`${d}/x`).catch((error) => {
          if (error.code !== 'EEXIST') throw error;
        });
        await fsp.writeFile(`${d}/x/${n++}`, '');
      };
      await Promise.all([make(), make(), make()]);
      if (fs.readdirSync(`${d}/x`).length !== 3) impossible('lost');
    },
  },
  'mkdir -p three times': {
    run: async (d) => {
      await Promise.all([
        fsp.mkdir(`${d}/a/b/c`, { recursive: true }),
        fsp.mkdir(`${d}/a/b/d`, { recursive: true }),
        answer((resolve, reject) =>
          fs.mkdir(`${d}/a/b/c/e`, { recursive: true }, (error) => (error ? reject(error) : resolve())),
        ),
      ]);
      for (const path of ['a/b/d', 'a/b/c/e']) fs.statSync(`${d}/${path}`);
    },
  },
  'appendFile keeps lines whole': {
    run: async (d) => {
      await Promise.all([1, 2, 3].map((i) => fsp.appendFile(`${d}/l`, `line${i}\n`)));
      const lines = fs.readFileSync(`${d}/l`, 'utf8').trim().split('\n').sort().join();
      if (lines !== 'line1,line2,line3') impossible(lines);
    },
  },
  'a lock file': {
    run: async (d) => {
      let inside = 0;
      const locked = async (body: () => Promise<void>) => {
        for (;;) {
          try {
            const handle = await fsp.open(`${d}/lock`, 'wx');
            await handle.close();
            break;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
            await sleep(5);
          }
        }
        if (++inside > 1) impossible('two inside');
        await body();
        inside -= 1;
        await fsp.unlink(`${d}/lock`);
      };
      const increment = async () => {
        const n = Number(await fsp.readFile(`${d}/n`, 'utf8'));
        await fsp.writeFile(`${d}/n`, String(n + 1));
      };
      fs.writeFileSync(`${d}/n`, '0');
      await Promise.all([locked(increment), locked(increment)]);
      if (fs.readFileSync(`${d}/n`, 'utf8') !== '2') impossible('lost update');
    },
  },
  'a stream writes in order': {
    run: async (d) => {
      const stream = fs.createWriteStream(`${d}/w`);
      for (let i = 0; i < 10; i++) stream.write(String(i));
      stream.end();
      await once(stream, 'close');
      if (fs.readFileSync(`${d}/w`, 'utf8') !== '0123456789') impossible('order');
    },
  },
  'a pipeline keeps its bytes': {
    run: async (d) => {
      fs.writeFileSync(`${d}/i`, Buffer.from(Array.from({ length: 30_000 }, (_, i) => i & 255)));
      await pipeline(
        fs.createReadStream(`${d}/i`, { highWaterMark: 3000 }),
        new Transform({
          transform(chunk, _encoding, done) {
            setImmediate(() => done(null, chunk));
          },
        }),
        fs.createWriteStream(`${d}/o`),
      );
      if (!fs.readFileSync(`${d}/i`).equals(fs.readFileSync(`${d}/o`))) impossible('content');
    },
  },
  'error, then close': {
    run: async (d) => {
      const order: string[] = [];
      const stream = fs.createReadStream(`${d}/none`);
      stream.on('error', () => order.push('error'));
      await answer<void>((resolve) =>
        stream.on('close', () => {
          order.push('close');
          resolve();
        }),
      );
      if (order.join() !== 'error,close') impossible(order);
    },
  },
  readline: {
    run: async (d) => {
      fs.writeFileSync(`${d}/l`, 'a\nb\nc\n');
      let all = '';
      for await (const line of createInterface({ input: fs.createReadStream(`${d}/l`) })) all += line;
      if (all !== 'abc') impossible(all);
    },
  },
  'a handle is closed at the end of its block': {
    run: async (d) => {
      fs.writeFileSync(`${d}/a`, '1');
      let handle: fsp.FileHandle;
      {
        await using inner = await fsp.open(`${d}/a`);
        handle = inner;
      }
      if (handle.fd !== -1) impossible('open');
    },
  },
  'writes awaited one by one': {
    run: async (d) => {
      const handle = await fsp.open(`${d}/a`, 'w');
      await handle.write('a');
      await handle.write('b');
      await handle.close();
      if (fs.readFileSync(`${d}/a`, 'utf8') !== 'ab') impossible('order');
    },
  },
  'positioned writes need no order': {
    run: async (d) => {
      const handle = await fsp.open(`${d}/p`, 'w');
      await Promise.all([handle.write('aa', 0), handle.write('bb', 2), handle.write('cc', 4)]);
      await handle.close();
      if (fs.readFileSync(`${d}/p`, 'utf8') !== 'aabbcc') impossible('content');
    },
  },
  'a buffer may be changed after the write': {
    run: async (d) => {
      const buffer = Buffer.from('aaaa');
      await fsp.writeFile(`${d}/f`, buffer);
      buffer.fill('b');
      if (fs.readFileSync(`${d}/f`, 'utf8') !== 'aaaa') impossible('changed');
    },
  },
  'two copies of one file': {
    run: async (d) => {
      fs.writeFileSync(`${d}/a`, '1'.repeat(100));
      await Promise.all([fsp.copyFile(`${d}/a`, `${d}/b`), fsp.copyFile(`${d}/a`, `${d}/c`)]);
      for (const name of ['b', 'c']) if (fs.statSync(`${d}/${name}`).size !== 100) impossible(name);
    },
  },
  'rm -r undisturbed': {
    run: async (d) => {
      fs.mkdirSync(`${d}/a/b`, { recursive: true });
      for (let i = 0; i < 4; i++) fs.writeFileSync(`${d}/a/b/${i}`, '');
      await fsp.rm(`${d}/a`, { recursive: true });
      if (fs.existsSync(`${d}/a`)) impossible('left over');
    },
  },
  'opendir while removing': {
    run: async (d) => {
      for (let i = 0; i < 5; i++) fs.writeFileSync(`${d}/${i}`, '');
      let seen = 0;
      for await (const entry of await fsp.opendir(d)) {
        seen += 1;
        await fsp.unlink(`${d}/${entry.name}`);
      }
      if (seen !== 5) impossible(seen);
    },
  },
  'opendir takes less than twenty seconds': {
    slow: true,
    run: async (d) => {
      fs.writeFileSync(`${d}/a`, '');
      const control = new AbortController();
      const late = sleep(20_000, 'late', { signal: control.signal }).catch(() => 'cancelled');
      const reading = (async () => {
        for await (const entry of await fsp.opendir(d)) return entry.name;
      })();
      const winner = await Promise.race([reading, late]);
      control.abort();
      if (winner !== 'a') impossible(winner);
    },
  },
  'a signal during a read': {
    run: async (d) => {
      fs.writeFileSync(`${d}/b`, Buffer.alloc(2_000_000));
      const control = new AbortController();
      const reading = fsp.readFile(`${d}/b`, { signal: control.signal }).then(
        (bytes) => bytes.length,
        (error) => error.name,
      );
      setTimeout(() => control.abort(), 1);
      const value = await reading;
      if (value !== 2_000_000 && value !== 'AbortError') impossible(value);
    },
  },
  'a read against a time-out, either is right': {
    run: async (d) => {
      fs.writeFileSync(`${d}/x`, '1');
      const control = new AbortController();
      const value = await Promise.race([
        fsp.readFile(`${d}/x`, 'utf8'),
        sleep(5, 'late', { signal: control.signal }).catch(() => 'cancelled'),
      ]);
      control.abort();
      if (value !== '1' && value !== 'late') impossible(value);
    },
  },
  'synchronous calls take effect at once': {
    run: async (d) => {
      const pending = [0, 1, 2, 3, 4].map((i) => fsp.writeFile(`${d}/${i}`, 'x'));
      fs.writeFileSync(`${d}/sync`, '1');
      if (fs.readFileSync(`${d}/sync`, 'utf8') !== '1') impossible('not there');
      await Promise.all(pending);
    },
  },
};
