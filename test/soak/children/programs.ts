/** Correct programs of processes that share files: two children, or one and the program itself. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { harness } from '../../../harnesses/api.ts';

const CHILD = fileURLToPath(new URL('./child.mjs', import.meta.url));

class Folder {
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  text(name: string): Promise<string> {
    return readFile(this.path(name), 'utf8');
  }

  start(work: string, own: string): ChildProcess {
    return spawn(process.execPath, [CHILD, work, this.dir, own], {
      env: {},
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
  }

  async whole(work: string, own: string): Promise<void> {
    const [code] = await once(this.start(work, own), 'exit');
    assert.equal(code, 0);
  }
}

async function counted({ dir }: { readonly dir: string }): Promise<Folder> {
  await writeFile(join(dir, 'count'), '0');
  return new Folder(dir);
}

const correct = { expect: { bug: false } } as const;
/** The same work of two processes. */
const twice = (work: string) => ({
  ann: (folder: Folder) => folder.whole(work, 'ann'),
  bob: (folder: Folder) => folder.whole(work, 'bob'),
});

for (const lock of ['a folder as lock', 'a file as lock'])
  harness({
    name: `two children: ${lock}`,
    setup: counted,
    tasks: twice(lock),
    check: async (folder) => assert.equal(await folder.text('count'), '2'),
    ...correct,
  });

for (const mode of ['delete', 'wal']) {
  for (const way of ['a transaction', 'one text'])
    harness({
      name: `two children: ${way}, ${mode}`,
      setup: ({ dir }) => filled(dir, mode),
      tasks: twice(way),
      check: (folder) => assert.deepEqual(rowsOf(folder, 'select n from counts'), [{ n: 2 }]),
      ...correct,
    });
  harness({
    name: `two children: a condition, ${mode}`,
    setup: ({ dir }) => filled(dir, mode),
    tasks: twice('a condition'),
    check(folder) {
      const taken = rowsOf(folder, 'select job, own from jobs order by job');
      assert.deepEqual(rowsOf(folder, 'select job, own from done order by job'), taken);
      assert.equal(taken.length, 2);
    },
    ...correct,
  });
}

harness({
  name: 'two children: claims',
  setup: ({ dir }) => new Folder(dir),
  tasks: twice('claims'),
  async check(folder) {
    for (const job of ['mail', 'print', 'ship'])
      assert.equal(await folder.text(job), await folder.text(`${job}.claim`));
  },
  ...correct,
});

function filled(dir: string, mode: string): Folder {
  const rows = new DatabaseSync(join(dir, 'rows.db'));
  rows.exec(`pragma journal_mode = ${mode}; create table counts (n integer); insert into counts values (0)`);
  rows.exec('create table jobs (job text, own text); create table done (job text, own text)');
  rows.exec(`insert into jobs (job) values ('mail'), ('print')`);
  rows.close();
  return new Folder(dir);
}

function rowsOf(folder: Folder, sql: string): object[] {
  const rows = new DatabaseSync(folder.path('rows.db'));
  const found = rows
    .prepare(sql)
    .all()
    .map((row) => ({ ...row }));
  rows.close();
  return found;
}

const inOrder = (log: string, who: readonly string[]): void => {
  const lines = log.trim().split('\n');
  assert.equal(lines.length, 2 * who.length);
  for (const each of who) assert.ok(lines.indexOf(`${each} begins`) < lines.indexOf(`${each} ends`), log);
};

harness({
  name: 'two children: lines',
  setup: ({ dir }) => new Folder(dir),
  tasks: twice('lines'),
  check: async (folder) => inOrder(await folder.text('log'), ['ann', 'bob']),
  ...correct,
});

const page = async (folder: Folder): Promise<void> => {
  const text = await folder.text('page').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return '{"whole":true}';
  });
  assert.equal(JSON.parse(text).whole, true);
};

harness({
  name: 'two children and the program: pages',
  setup: ({ dir }) => new Folder(dir),
  tasks: {
    ...twice('publishes'),
    async reader(folder) {
      for (let looks = 0; looks < 3; looks++) {
        await page(folder);
        await sleep(15);
      }
    },
  },
  check: page,
  ...correct,
});

harness({
  name: 'two children: one behind the other',
  setup: ({ dir }) => new Folder(dir),
  tasks: {
    async both(folder) {
      const first = folder.start('tells', 'ann');
      const ended = once(first, 'exit');
      await once(first, 'message');
      await Promise.all([folder.whole('goesOn', 'bob'), ended]);
    },
  },
  check: async (folder) => assert.equal(await folder.text('sum'), 'done bob'),
  ...correct,
});

harness({
  name: 'one child: a file as lock',
  setup: counted,
  tasks: {
    child: (folder) => folder.whole('a file as lock', 'ann'),
    async itself(folder) {
      await sleep(40);
      for (;;) {
        const error = await writeFile(folder.path('lock'), '', { flag: 'wx' }).catch((reason) => reason);
        if (error === undefined) break;
        assert.equal(error.code, 'EEXIST');
        await sleep(5);
      }
      await writeFile(folder.path('count'), String(Number(await folder.text('count')) + 1));
      await rm(folder.path('lock'));
    },
  },
  check: async (folder) => assert.equal(await folder.text('count'), '2'),
  ...correct,
});

harness({
  name: 'one child: lines',
  setup: ({ dir }) => new Folder(dir),
  tasks: {
    child: (folder) => folder.whole('lines', 'ann'),
    async itself(folder) {
      await appendFile(folder.path('log'), 'bob begins\n');
      await sleep(50);
      await appendFile(folder.path('log'), 'bob ends\n');
    },
  },
  check: async (folder) => inOrder(await folder.text('log'), ['ann', 'bob']),
  ...correct,
});

harness({
  name: 'one child: pages',
  setup: ({ dir }) => new Folder(dir),
  tasks: {
    child: (folder) => folder.whole('publishes', 'ann'),
    async reader(folder) {
      for (let looks = 0; looks < 3; looks++) {
        await page(folder);
        await sleep(15);
      }
    },
  },
  check: page,
  ...correct,
});

/** What is read once it was heard of. */
const heard: Readonly<Record<string, (folder: Folder) => Promise<unknown>>> = {
  'a message': (folder) => once(folder.start('tells', 'ann'), 'message'),
  'what it prints': (folder) => once(folder.start('prints', 'ann').stdout!, 'data'),
  'its end': (folder) => folder.whole('prints', 'ann'),
};
for (const [what, tells] of Object.entries(heard))
  harness({
    name: `one child: ${what}`,
    setup: ({ dir }) => new Folder(dir),
    tasks: {
      async reader(folder) {
        await tells(folder);
        assert.equal(await folder.text('result'), 'done');
      },
      async other(folder) {
        for (let looks = 0; looks < 3; looks++) {
          await folder.text('result').catch(() => null);
          await sleep(15);
        }
      },
    },
    check: async (folder) => assert.equal(await folder.text('result'), 'done'),
    ...correct,
  });
