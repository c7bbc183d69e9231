// What a process of a correct program does: by its first argument; the second is the folder, the third a name of its own.
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , work, dir, own] = process.argv;
const path = (name) => `${dir}/${name}`;

async function locked(take, give, body) {
  for (;;) {
    try {
      take();
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      await sleep(5);
    }
  }
  await body();
  give();
}

const increment = () =>
  fs.writeFileSync(path('count'), String(Number(fs.readFileSync(path('count'), 'utf8')) + 1));

async function database() {
  const { DatabaseSync } = await import('node:sqlite');
  return new DatabaseSync(path('rows.db'), { timeout: 3000 });
}

const WORK = {
  'a folder as lock': () =>
    locked(
      () => fs.mkdirSync(path('lock')),
      () => fs.rmdirSync(path('lock')),
      increment,
    ),
  'a file as lock': () =>
    locked(
      () => fs.writeFileSync(path('lock'), own, { flag: 'wx' }),
      () => fs.rmSync(path('lock')),
      async () => {
        const count = Number(await fsp.readFile(path('count'), 'utf8'));
        await fsp.writeFile(path('count'), String(count + 1));
      },
    ),
  'a transaction': async () => {
    const rows = await database();
    rows.exec('begin immediate');
    const { n } = rows.prepare('select n from counts').get();
    await sleep(3);
    rows.prepare('update counts set n = ?').run(n + 1);
    rows.exec('commit');
    rows.close();
  },
  'a condition': async () => {
    const rows = await database();
    for (const job of ['mail', 'print']) {
      const take = rows.prepare('update jobs set own = ? where job = ? and own is null');
      if (take.run(own, job).changes === 1) rows.prepare('insert into done values (?, ?)').run(job, own);
    }
    rows.close();
  },
  'one text': async () => {
    const rows = await database();
    rows.exec('begin immediate; update counts set n = n + 1; commit');
    rows.close();
  },
  claims: () => {
    for (const job of ['mail', 'print', 'ship'])
      try {
        fs.writeFileSync(path(`${job}.claim`), own, { flag: 'wx' });
        fs.appendFileSync(path(job), own);
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
  },
  lines: async () => {
    fs.appendFileSync(path('log'), `${own} begins\n`);
    await fsp.appendFile(path('log'), `${own} ends\n`);
  },
  publishes: async () => {
    const draft = path(`draft.${own}`);
    const file = await fsp.open(draft, 'w');
    await file.write(`{"by":"${own}",`);
    await file.write('"whole":true}');
    await file.close();
    await fsp.rename(draft, path('page'));
  },
  tells: () => {
    fs.writeFileSync(path('result'), 'done');
    process.send('there');
  },
  prints: () => {
    fs.writeFileSync(path('result'), 'done');
    console.log('there');
  },
  goesOn: () => fs.writeFileSync(path('sum'), `${fs.readFileSync(path('result'), 'utf8')} ${own}`),
};

await WORK[work]();
if (process.connected) process.disconnect();
