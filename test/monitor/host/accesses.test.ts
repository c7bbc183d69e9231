/** Which entities each file operation touches, and what requests are called. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { displayPath } from '../../../monitor/host/fs-paths.ts';
import { FS_TABLE } from '../../../monitor/host/fs-table.ts';
import { Directories, gated, WHOLE } from '../../rescheduler/gate/support.ts';

const directories = new Directories();
after(() => directories.remove());

type Use = (directory: string) => Promise<unknown>;

/** What a program touches, in order: `r` or `w`, the entity without the directory's own part. */
async function touched(use: Use, prepare: (directory: string) => void = () => {}): Promise<string[]> {
  const directory = directories.fresh();
  prepare(directory);
  const seen: string[] = [];
  const own = `fs:${displayPath(directory)}`;
  const add = ({ accesses }: { accesses: () => readonly { entity: string; write: boolean }[] }) => {
    for (const { entity, write } of accesses())
      seen.push(`${write ? 'w' : 'r'} ${entity.replace(own, '').replace(/^\//, '') || '.'}`);
  };
  const { status, error } = await gated(() => use(directory), { observer: { effect: add, touched: add } });
  assert.equal(status, 'ok', String(error));
  return seen.map((line) => line.replace(/ {2,}/g, ' '));
}

const a = (d: string) => fs.writeFileSync(`${d}/a`, 'x');

const cases: Record<string, [Use, string[], ((d: string) => void)?]> = {
  stat: [(d) => fsp.stat(`${d}/a`), ['r .', 'r a', 'r a (content)'], a],
  'stat of what is not there': [(d) => fsp.stat(`${d}/a`).catch(() => {}), ['r .', 'r a', 'r a (content)']],
  access: [(d) => fsp.access(`${d}/a`), ['r .', 'r a'], a],
  existsSync: [async (d) => fs.existsSync(`${d}/a`), ['r .', 'r a']],
  readFile: [
    (d) => fsp.readFile(`${d}/a`),
    // Opened, looked at, read until there is nothing more.
    ['r .', 'r a', ...Array(WHOLE ? 2 : 3).fill('r a (content)')],
    a,
  ],
  'writeFile of a new file': [
    (d) => fsp.writeFile(`${d}/a`, '1'),
    ['r .', 'r a', 'w a', 'w (entries)', 'w a (content)', 'w a (content)'],
  ],
  'writeFile over a file': [
    (d) => fsp.writeFile(`${d}/a`, '1'),
    ['r .', 'r a', 'w a (content)', 'w a (content)'],
    a,
  ],
  writeFileSync: [
    async (d) => fs.writeFileSync(`${d}/a`, '1'),
    ['r .', 'r a', 'w a', 'w (entries)', 'w a (content)'],
  ],
  appendFile: [(d) => fsp.appendFile(`${d}/a`, '1'), ['r .', 'r a', 'w a (content)'], a],
  mkdir: [(d) => fsp.mkdir(`${d}/a`), ['r .', 'r a', 'w a', 'w (entries)']],
  'mkdir of what is there: it has seen that': [
    (d) => fsp.mkdir(`${d}/a`).catch(() => {}),
    ['r .', 'r a'],
    (d) => fs.mkdirSync(`${d}/a`),
  ],
  'an exclusive open that fails': [(d) => fsp.open(`${d}/a`, 'wx').catch(() => {}), ['r .', 'r a'], a],
  'an exclusive open that fails, within the call': [
    async (d) => assert.throws(() => fs.openSync(`${d}/a`, 'wx'), { code: 'EEXIST' }),
    ['r .', 'r a'],
    a,
  ],
  'an exclusive writeFile that fails': [
    (d) => fsp.writeFile(`${d}/a`, '1', { flag: 'wx' }).catch(() => {}),
    ['r .', 'r a'],
    a,
  ],
  'unlink of what is gone': [(d) => fsp.unlink(`${d}/a`).catch(() => {}), ['r .', 'r a']],
  'rmdir of a full folder': [(d) => fsp.rmdir(d).catch(() => {}), ['r (entries)', 'r ..', 'r .'], a],
  'rename of what is gone': [
    (d) => fsp.rename(`${d}/a`, `${d}/b`).catch(() => {}),
    ['r .', 'r a', 'r .', 'r b'],
  ],
  'link to a name that is taken': [
    (d) => fsp.link(`${d}/a`, `${d}/b`).catch(() => {}),
    ['r .', 'r a', 'r .', 'r b'],
    (d) => ['a', 'b'].forEach((name) => void fs.writeFileSync(`${d}/${name}`, 'x')),
  ],
  'symlink under a name that is taken': [
    (d) => fsp.symlink('b', `${d}/a`).catch(() => {}),
    ['r .', 'r a'],
    a,
  ],
  'copyFile over what must not be there': [
    (d) => fsp.copyFile(`${d}/a`, `${d}/a`, fs.constants.COPYFILE_EXCL).catch(() => {}),
    ['r .', 'r a', 'r a (content)', 'r .', 'r a'],
    a,
  ],
  'copyFileSync over what must not be there': [
    async (d) => assert.throws(() => fs.copyFileSync(`${d}/a`, `${d}/a`, fs.constants.COPYFILE_EXCL)),
    ['r .', 'r a', 'r .', 'r a'],
    a,
  ],
  'truncate of what is gone': [(d) => fsp.truncate(`${d}/a`).catch(() => {}), ['r .', 'r a']],
  'rmSync with force of what is gone': [
    async (d) => fs.rmSync(`${d}/a`, { force: true, recursive: true }),
    ['r .', 'r a'],
  ],
  'rmSync with force of what is there': [
    async (d) => fs.rmSync(`${d}/a`, { force: true, recursive: true }),
    ['r .', 'r a', 'w a', 'w (entries)'],
    a,
  ],
  'mkdir -p, step by step': [
    (d) => fsp.mkdir(`${d}/a/b`, { recursive: true }),
    ['r a', 'r a/b', 'r .', 'r a', 'w a', 'w (entries)', 'r a', 'r a/b', 'w a/b', 'w a (entries)'],
  ],
  unlink: [(d) => fsp.unlink(`${d}/a`), ['r .', 'r a', 'w a', 'w (entries)'], a],
  rename: [
    (d) => fsp.rename(`${d}/a`, `${d}/b`),
    [
      'r .',
      'r a',
      'w a',
      'w (entries)',
      'r .',
      'r b',
      'w b',
      'w (entries)',
      'r a (content)',
      'w b (content)',
    ],
    a,
  ],
  'readdir: the names, and that each is there': [
    (d) => fsp.readdir(d),
    ['r ..', 'r .', 'r (entries)', 'r a'],
    a,
  ],
  'readdir of a tree': [
    (d) => fsp.readdir(d, { recursive: true }),
    WHOLE
      ? ['r ..', 'r .', 'r (entries)', 'r a', 'r a (entries)', 'r a/b']
      : [
          ...['r ..', 'r .', 'r (entries)', 'r a'],
          ...['r .', 'r a', 'r a (entries)', 'r a/b'],
          ...['r a', 'r a/b', 'r a/b (entries)'],
        ],
    (d) => fs.mkdirSync(`${d}/a/b`, { recursive: true }),
  ],
  'readdir of a tree, with types': [
    (d) => fsp.readdir(d, { recursive: true, withFileTypes: true }),
    [
      ...['r ..', 'r .', 'r (entries)', 'r a'],
      ...(WHOLE ? [] : ['r .', 'r a']),
      ...['r a (entries)', 'r a/b'],
      ...(WHOLE ? [] : ['r a', 'r a/b']),
      'r a/b (entries)',
    ],
    (d) => fs.mkdirSync(`${d}/a/b`, { recursive: true }),
  ],
  'cp of a tree': [
    (d) => fsp.cp(`${d}/a`, `${d}/c`, { recursive: true }),
    [
      ...['r .', 'r a', 'r a (content)', 'r .', 'r c', 'r c (content)'],
      ...['r ..', 'r .', 'r (content)'],
      ...['r .', 'r a', 'r a (content)', 'r .'],
      ...(WHOLE
        ? [
            // In one trip: what is in the tree is read, and made.
            ...['r a', 'r a (entries)', 'r .', 'r c', 'w c', 'w (entries)'],
            ...[
              'r a',
              'r a/b',
              'r a/b (content)',
              'r c',
              'r c/b',
              'w c/b',
              'w c (entries)',
              'w c/b (content)',
            ],
          ]
        : [
            ...['r c', 'w c', 'w (entries)', 'r .', 'r a', 'r a (entries)', 'r a/b'],
            ...['r a', 'r a/b', 'r a/b (content)', 'r c', 'r c/b', 'r c/b (content)'],
            ...['r a', 'r a/b', 'r a/b (content)', 'r a', 'r a/b', 'r a/b (content)'],
            ...['r c', 'r c/b', 'w c/b', 'w c (entries)', 'w c/b (content)'],
            ...['r a/b (content)', 'w c/b (content)', 'r c', 'r c/b', 'w c/b (content)'],
            ...['r a (entries)', 'r .', 'r c', 'w c (content)'],
          ]),
    ],
    (d) => {
      fs.mkdirSync(`${d}/a`);
      fs.writeFileSync(`${d}/a/b`, 'x');
    },
  ],
  rmdir: [
    (d) => fsp.rmdir(`${d}/a`),
    ['r a (entries)', 'r .', 'r a', 'w a', 'w (entries)'],
    (d) => fs.mkdirSync(`${d}/a`),
  ],
  'copyFile, step by step': [
    (d) => fsp.copyFile(`${d}/a`, `${d}/b`),
    [
      'r .',
      'r a',
      'r a (content)',
      'r .',
      'r b',
      'w b',
      'w (entries)',
      'w b (content)',
      'r a (content)',
      'w b (content)',
    ],
    a,
  ],
  'a handle': [
    async (d) => {
      const handle = await fsp.open(`${d}/a`, 'r+');
      await handle.stat();
      await handle.truncate(1);
      await handle.sync();
      await handle.close();
    },
    ['r .', 'r a', 'r a (content)', 'r a (content)', 'w a (content)'],
    a,
  ],
  'a symbolic link': [(d) => fsp.symlink('b', `${d}/a`), ['r .', 'r a', 'w a', 'w (entries)']],
  opendir: [
    async (d) => {
      for await (const entry of await fsp.opendir(d)) void entry;
    },
    ['r ..', 'r .', 'r (entries)', 'r a', 'r (entries)'],
    a,
  ],
};

describe('entities', () => {
  for (const [name, [use, expected, prepare]] of Object.entries(cases))
    it(name, async () => {
      const parent = (line: string) => (line === `r fs:${displayPath(directories.root)}` ? 'r ..' : line);
      assert.deepEqual((await touched(use, prepare)).map(parent), expected);
    });

  it('every asynchronous function of the binding has a row', () => {
    const binding = (process as unknown as { binding(name: string): Record<string, unknown> }).binding('fs');
    const rest = Object.keys(binding).filter(
      (name) => typeof binding[name] === 'function' && /^[a-z]/.test(name) && !(name in FS_TABLE),
    );
    assert.deepEqual(rest.toSorted(), [
      'cpSyncCheckPaths',
      'cpSyncCopyDir',
      'cpSyncOverrideFile',
      'existsSync',
      'getFormatOfExtensionlessFile',
      'internalModuleStat',
      'legacyMainResolve',
      'readFileUtf8',
      'rmSync',
      'writeFileUtf8',
    ]);
  });
});

describe('paths', () => {
  it('are relative to the working directory', () => {
    assert.equal(displayPath('./src/../a'), 'a');
    assert.equal(displayPath(process.cwd()), '.');
    assert.equal(displayPath('/etc/hosts'), '/etc/hosts');
  });

  it('temporary directories are a star, whoever made them', async () => {
    const { tmpdir } = await import('node:os');
    assert.equal(displayPath(`${tmpdir()}/app-Ab3dE9/x/y`), '*/x/y');
    assert.equal(displayPath(`${tmpdir()}/plain/x`), '$TMPDIR/plain/x');
    const { value } = await gated(() => fsp.mkdtemp(`${directories.root}/odd`));
    assert.equal(displayPath(`${value}/z`), '*/z');
  });
});

describe('names', () => {
  it('of a long chain stay short and apart', async () => {
    const { steps } = await gated(async () => {
      for (let i = 0; i < 60; i++) await sleep(1);
    });
    assert.equal(new Set(steps).size, 60);
    assert.ok(Math.max(...steps.map((step) => step.length)) < 300);
  });

  it('of an interval count its ticks', async () => {
    const { steps } = await gated(
      () =>
        new Promise<void>((resolve) => {
          let n = 0;
          const timer = setInterval(() => {
            if (++n < 3) return;
            clearInterval(timer);
            resolve();
          }, 5);
        }),
    );
    assert.deepEqual(steps, ['D:root|setInterval#1', 'D:root|setInterval#1+1', 'D:root|setInterval#1+2']);
  });
});
