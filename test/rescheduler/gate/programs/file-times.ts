/** What a program may rely on when it compares the times of files with each other and with the clock. */
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { answer, type Case, impossible } from './program.ts';

/** The kernel's clock ticks every few ms, natively too. */
const TICK = 15;

/** The age of a file is what the program has slept since, and no more than an answer may be late. */
async function ageIs(path: string, slept: number): Promise<void> {
  const { mtimeMs } = await fsp.stat(path);
  const age = Date.now() - mtimeMs;
  if (age < slept - TICK || age > slept + 5000) impossible(`${path} is ${age} ms old, not ${slept}`);
}

export const fileTimes: Record<string, Case> = {
  'file times follow the clock': {
    slow: true,
    run: async (d) => {
      await sleep(5000);
      const before = Date.now();
      await fsp.writeFile(`${d}/a`, 'x');
      const { mtimeMs } = await fsp.stat(`${d}/a`);
      if (mtimeMs < before - TICK) impossible(`written ${before - mtimeMs} ms before`);
      const after = Date.now();
      if (mtimeMs > after + TICK) impossible(`written ${mtimeMs - after} ms in the future`);
    },
  },
  'what was written to disk is older than what comes behind that': {
    slow: true,
    run: async (d) => {
      const file = await fsp.open(`${d}/a`, 'w');
      await file.writeFile('x');
      await file.sync();
      await file.close();
      const { birthtimeMs } = await fsp.stat(`${d}/a`);
      const now = Date.now();
      if (birthtimeMs >= now) impossible(`written ${birthtimeMs - now} ms in the future`);
    },
  },
  'a file grows old while the program sleeps': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/lock`, '');
      await sleep(10_000);
      await ageIs(`${d}/lock`, 10_000);
      await fsp.appendFile(`${d}/lock`, 'x');
      await ageIs(`${d}/lock`, 0);
    },
  },
  'so does one that was written by a synchronous call': {
    slow: true,
    run: async (d) => {
      fs.writeFileSync(`${d}/lock`, '');
      await sleep(10_000);
      const age = Date.now() - fs.statSync(`${d}/lock`).mtimeMs;
      if (age < 10_000 - TICK) impossible(age);
    },
  },
  'a time that is read late is that of the write': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/a`, '1');
      const [stats, whole] = await Promise.all([fsp.stat(`${d}/a`), fsp.stat(`${d}/a`, { bigint: true })]);
      await sleep(1000);
      await fsp.writeFile(`${d}/a`, '2');
      const age = Date.now() - stats.mtimeMs;
      if (age < 1000 - TICK || age > 6000) impossible(`${age} ms old`);
      if (Math.floor(stats.mtimeMs) !== Number(whole.mtimeMs))
        impossible(`${stats.mtimeMs} ${whole.mtimeMs}`);
      if (stats.mtime.getTime() !== Number(whole.mtimeMs)) impossible(`${stats.mtime} ${whole.mtime}`);
    },
  },
  'what was copied by a synchronous call is as old as that': {
    slow: true,
    run: async (d) => {
      fs.writeFileSync(`${d}/a`, '');
      await sleep(10_000);
      fs.copyFileSync(`${d}/a`, `${d}/b`);
      await sleep(1000);
      fs.renameSync(`${d}/b`, `${d}/c`);
      const { ctimeMs, mtimeMs } = fs.statSync(`${d}/c`);
      if (ctimeMs - mtimeMs < 1000 - TICK) impossible(`${ctimeMs - mtimeMs}`);
      await ageIs(`${d}/c`, 1000);
    },
  },
  'what nobody changed has the time that it had': {
    slow: true,
    orders: 100,
    run: async (d) => {
      const timers = [sleep(2), sleep(1)];
      fs.writeFileSync(`${d}/a`, '1');
      const { mtimeMs: first } = fs.statSync(`${d}/a`);
      await Promise.all(timers);
      const { mtimeMs } = await fsp.stat(`${d}/a`);
      if (mtimeMs !== first) impossible(`${mtimeMs - first} ms newer`);
    },
  },
  'a write after a sleep changes the time of the file': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/config`, '1');
      const { mtimeMs: first, birthtimeMs: born } = await fsp.stat(`${d}/config`);
      await sleep(1000);
      await fsp.writeFile(`${d}/config`, '2');
      const { mtimeMs: second, birthtimeMs } = await fsp.stat(`${d}/config`);
      if (second - first < 1000 - TICK) impossible(second - first);
      if (birthtimeMs !== born) impossible(`born ${birthtimeMs - born} ms later`);
    },
  },
  'files are as old as the order in which they were written says': {
    slow: true,
    run: async (d) => {
      for (const name of ['a', 'b', 'c']) {
        await fsp.writeFile(`${d}/${name}`, '');
        await sleep(2000);
      }
      const times = await Promise.all(
        ['a', 'b', 'c'].map(async (n) => (await fsp.stat(`${d}/${n}`)).mtimeMs),
      );
      for (const i of [1, 2])
        if (times[i]! - times[i - 1]! < 2000 - TICK) impossible(times.map((t) => t - times[0]!));
    },
  },
  'a time that the program sets is the time that it reads': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/lock`, '');
      for (let i = 0; i < 4; i++) {
        const set = new Date();
        await fsp.utimes(`${d}/lock`, set, set);
        await sleep(1000);
        const { mtime } = await fsp.stat(`${d}/lock`);
        if (mtime.getTime() !== set.getTime()) impossible(mtime.getTime() - set.getTime());
      }
    },
  },
  'neither a new name nor a new mode makes a file newer': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/a`, '1');
      const { mtimeMs, ctimeMs } = await fsp.stat(`${d}/a`);
      await sleep(1000);
      await fsp.chmod(`${d}/a`, 0o600);
      await fsp.rename(`${d}/a`, `${d}/b`);
      const later = await fsp.stat(`${d}/b`);
      if (later.mtimeMs !== mtimeMs) impossible(later.mtimeMs - mtimeMs);
      if (later.ctimeMs - ctimeMs < 1000 - TICK) impossible(later.ctimeMs - ctimeMs);
    },
  },
  'a folder is as new as its newest entry': {
    slow: true,
    run: async (d) => {
      await fsp.mkdir(`${d}/x/y`, { recursive: true });
      await sleep(1000);
      await ageIs(`${d}/x/y`, 1000);
      await fsp.writeFile(`${d}/x/y/z`, '');
      await ageIs(`${d}/x/y`, 0);
      await sleep(1000);
      await fsp.unlink(`${d}/x/y/z`);
      await ageIs(`${d}/x/y`, 0);
      await ageIs(`${d}/x`, 2000);
    },
  },
  'a copy is new, and a link is not': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/a`, '1');
      await sleep(3000);
      await fsp.copyFile(`${d}/a`, `${d}/copy`);
      await fsp.link(`${d}/a`, `${d}/link`);
      await ageIs(`${d}/copy`, 0);
      await ageIs(`${d}/link`, 3000);
    },
  },
  'what was read after a sleep was read then': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/a`, '1');
      await sleep(3000);
      const before = Date.now();
      await fsp.readFile(`${d}/a`);
      const { atimeMs, mtimeMs } = fs.statSync(`${d}/a`);
      // A file system may be mounted so that nobody notes it.
      if (atimeMs !== mtimeMs && atimeMs < before - TICK) impossible(before - atimeMs);
    },
  },
  'times in whole nanoseconds tell the same': {
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/a`, '1');
      await sleep(3000);
      const stats = await fsp.stat(`${d}/a`, { bigint: true });
      const { mtimeMs } = await fsp.stat(`${d}/a`);
      if (Number(stats.mtimeMs) !== Math.floor(mtimeMs)) impossible(`${stats.mtimeMs} ${mtimeMs}`);
    },
  },
  'what a child wrote is not from the future': {
    orders: 6,
    run: async (d) => {
      await sleep(10);
      const before = Date.now();
      await promisify(execFile)('touch', [`${d}/a`]);
      const { mtimeMs } = fs.statSync(`${d}/a`);
      if (mtimeMs > Date.now() + TICK) impossible(`${mtimeMs - Date.now()} ms`);
      if (mtimeMs < before - TICK) impossible(`${before - mtimeMs} ms before`);
    },
  },
  'a watched file tells the times that stat tells': {
    orders: 4,
    slow: true,
    run: async (d) => {
      await fsp.writeFile(`${d}/a`, '1');
      await sleep(5000);
      const [now, before] = await answer<[fs.Stats, fs.Stats]>((resolve) => {
        fs.watchFile(`${d}/a`, { interval: 5 }, (...stats) => resolve(stats));
        // The watcher looks for the first time on a thread of the pool: a busy machine may need a while for that.
        void sleep(300).then(() => fsp.writeFile(`${d}/a`, '22'));
      });
      fs.unwatchFile(`${d}/a`);
      if (now.mtimeMs - before.mtimeMs < 5000 - TICK) impossible(now.mtimeMs - before.mtimeMs);
      if (now.mtimeMs > Date.now() + TICK) impossible(now.mtimeMs - Date.now());
    },
  },
};
