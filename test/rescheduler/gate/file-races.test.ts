/** Races on files: one forced order, always the same outcome; other orders end well. */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import fsp from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { nextPrefix } from '../../../rescheduler/investigate/enumeration.ts';
import { DirectedStrategy } from '../../../rescheduler/strategies/directed.ts';
import { ObservedStrategy } from '../../../rescheduler/strategies/observed.ts';
import { PrefixStrategy } from '../../../rescheduler/strategies/prefix.ts';
import { Directories, gated, Ordered, random } from './support.ts';

const TIMES = 30;

interface Race {
  readonly prepare?: (directory: string) => void;
  readonly run: (directory: string) => Promise<unknown>;
  /** Patterns over `letter:api:what`, taken in this order. */
  readonly order: readonly RegExp[];
  readonly error: RegExp;
}

/** A whole file, step by step: Node 26 asks for it at once. */
async function write(path: string, text: string): Promise<void> {
  const handle = await fsp.open(path, 'w');
  await handle.write(text);
  await handle.close();
}

async function read(path: string): Promise<string> {
  const handle = await fsp.open(path);
  await handle.stat();
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
  await handle.close();
  return buffer.toString('utf8', 0, bytesRead);
}

const races: Record<string, Race> = {
  'two writers tear a file': {
    run: async (d) => {
      const [a, b] = ['A'.repeat(20), 'B'.repeat(8)];
      await Promise.all([write(`${d}/t`, a), write(`${d}/t`, b)]);
      const text = fs.readFileSync(`${d}/t`, 'utf8');
      if (text !== a && text !== b) throw new Error(`torn: ${text}`);
    },
    order: [/^E:fs.open/, /^E:fs.open/, /^D:fs.open/, /^D:fs.open/, /^E:fs.write/, /^E:fs.write/],
    error: /torn: B{8}A{12}/,
  },
  'a reader sees an emptied file': {
    prepare: (d) => fs.writeFileSync(`${d}/t`, '{"a":1}'),
    run: async (d) => {
      const [, text] = await Promise.all([write(`${d}/t`, '{"a":2}'), read(`${d}/t`)]);
      JSON.parse(text);
    },
    order: [
      /^E:fs.open/,
      /^E:fs.open/,
      /^D:fs.open/,
      /^D:fs.open/,
      /^E:fs.fstat/,
      /^D:fs.fstat/,
      /^E:fs.read/,
    ],
    error: /JSON/,
  },
  'stat, then mkdir': {
    run: async (d) => {
      const make = () => fsp.stat(`${d}/x`).catch(() => fsp.mkdir(`${d}/x`));
      await Promise.all([make(), make()]);
    },
    order: [/^E:fs.stat/, /^E:fs.stat/, /^D:fs.stat/, /^D:fs.stat/, /^E:fs.mkdir/, /^E:fs.mkdir/],
    error: /EEXIST/,
  },
  'unlink, then rename': {
    prepare: (d) => {
      fs.writeFileSync(`${d}/current`, 'old');
      fs.writeFileSync(`${d}/next`, 'new');
    },
    run: async (d) => {
      const replace = async () => {
        await fsp.unlink(`${d}/current`);
        await fsp.rename(`${d}/next`, `${d}/current`);
      };
      await Promise.all([replace(), read(`${d}/current`)]);
    },
    order: [/^E:fs.unlink/, /^E:fs.open:.*current/, /^E:fs.rename/],
    error: /ENOENT.*open/,
  },
  'copyFile in steps': {
    prepare: (d) => {
      fs.writeFileSync(`${d}/s`, '0123456789');
      fs.writeFileSync(`${d}/c`, 'old-old-old');
    },
    run: async (d) => {
      const [, text] = await Promise.all([fsp.copyFile(`${d}/s`, `${d}/c`), read(`${d}/c`)]);
      if (text !== '0123456789' && text !== 'old-old-old') throw new Error(`torn: ${JSON.stringify(text)}`);
    },
    order: [/^E:fs.copyFile/, /^E:fs.copyFile/, /^E:fs.read:/, /^E:fs.copyFile/],
    error: /torn: ""/,
  },
  'rm -r against a new file': {
    prepare: (d) => {
      fs.mkdirSync(`${d}/t/u`, { recursive: true });
      fs.writeFileSync(`${d}/t/u/1`, '1');
    },
    run: async (d) => {
      await Promise.all([
        fsp.rm(`${d}/t`, { recursive: true, maxRetries: 0 }),
        write(`${d}/t/u/2`, '2').catch(() => {}),
      ]);
    },
    order: [
      /^E:fs.rmdir:.*t$/,
      /^E:fs.rmdir:.*u$/,
      /^E:fs.readdir:.*u$/,
      /^E:fs.open:.*u.2$/,
      /^E:fs.rmdir:.*u$/,
    ],
    error: /ENOTEMPTY/,
  },
};

const directories = new Directories();
after(() => directories.remove());

describe('a forced order of file requests always ends the same', () => {
  for (const [name, { prepare, run, order, error }] of Object.entries(races))
    it(name, async () => {
      const start = () => {
        const directory = directories.fresh();
        prepare?.(directory);
        return () => run(directory);
      };
      let well = false;
      for (let seed = 1; seed <= 60 && !well; seed++) well = (await random(start(), seed)).status === 'ok';
      assert.ok(well, 'no order ends well');
      let steps: string[] | null = null;
      for (let i = 0; i < TIMES; i++) {
        const strategy = new Ordered(order);
        const forced = await gated(start(), { strategy });
        assert.equal(strategy.at, order.length, `stopped before ${order[strategy.at]}`);
        assert.equal(forced.status, 'fail');
        assert.match(String(forced.error), error);
        steps ??= forced.steps;
        assert.deepEqual(forced.steps, steps);
      }
    });
});

describe('a whole file is several steps, however Node asks for it', () => {
  const json = '{"a":1,"b":22222}';
  const both = (d: string, writing: Promise<unknown>, reading: Promise<string>) =>
    Promise.all([writing, reading]).then(([, text]) => `${text} ${fs.readFileSync(`${d}/t`, 'utf8')}`);
  const programs: Record<string, (d: string) => Promise<string>> = {
    promises: (d) => both(d, fsp.writeFile(`${d}/t`, json), fsp.readFile(`${d}/t`, 'utf8')),
    callbacks: (d) =>
      both(
        d,
        promisify(fs.writeFile)(`${d}/t`, json),
        promisify(fs.readFile)(`${d}/t`, { encoding: 'utf8' }),
      ),
    appending: (d) => {
      fs.truncateSync(`${d}/t`);
      const add = promisify(fs.appendFile);
      return both(
        d,
        Promise.all([fsp.appendFile(`${d}/t`, 'bb'), add(`${d}/t`, 'a')]),
        fsp.readFile(`${d}/t`, 'utf8'),
      );
    },
  };
  // Emptied, as long as it was when it was opened, not yet begun, done.
  const overwritten = [
    ` ${json}`,
    `${json.slice(0, 7)} ${json}`,
    `{"a":0} ${json}`,
    `${json} ${json}`,
  ].sort();
  const expected: Record<string, readonly string[]> = {
    promises: overwritten,
    callbacks: overwritten,
    appending: [' abb', ' bba', 'a abb', 'abb abb', 'bb bba', 'bba bba'],
  };
  for (const [name, run] of Object.entries(programs))
    it(name, async () => {
      const found = new Set<string>();
      for (let seed = 1; seed <= 400; seed++) {
        const directory = directories.fresh();
        fs.writeFileSync(`${directory}/t`, '{"a":0}');
        found.add(String((await random(() => run(directory), seed)).value));
      }
      assert.deepEqual([...found].sort(), expected[name]);
    });
});

describe('the same seed is the same run', () => {
  for (const [name, { prepare, run }] of Object.entries(races))
    it(name, async () => {
      const once = async () => {
        const directory = directories.fresh();
        prepare?.(directory);
        const { status, steps, error, requiredStallMs } = await random(() => run(directory), 11);
        return { status, steps, requiredStallMs, error: String(error).replaceAll(directory, '*') };
      };
      const first = await once();
      for (let i = 1; i < 50; i++) assert.deepEqual(await once(), first);
    });
});

describe('a request takes effect within the turn that asked', () => {
  const directories = new Directories();
  after(() => directories.remove());
  /** What is asked first sees the first file, the second, both or none. */
  const seen = async (directory: string): Promise<string> => {
    const names = fsp.readdir(directory);
    fs.writeFileSync(`${directory}/a`, '');
    fs.writeFileSync(`${directory}/b`, '');
    return (await names).join('');
  };
  const start = () => {
    const directory = directories.fresh();
    return () => seen(directory);
  };

  it('before a synchronous call of it, between two, or later', async () => {
    const found = new Set<unknown>();
    for (let seed = 1; seed <= 40; seed++) found.add((await random(start(), seed)).value);
    assert.deepEqual([...found].sort(), ['', 'a', 'ab']);
  });

  it('not in the observed order', async () => {
    assert.equal((await gated(start())).value, 'ab');
  });

  it('and again where its steps are forced', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const { value, steps } = await random(start(), seed);
      const strategy = new DirectedStrategy(steps, new ObservedStrategy());
      const forced = await gated(start(), { strategy });
      assert.deepEqual([forced.value, forced.steps], [value, steps]);
    }
  });

  it('and in an enumeration of all orders', async () => {
    const found: unknown[] = [];
    for (let prefix: readonly string[] | null = []; prefix; ) {
      const result = await gated(start(), { strategy: new PrefixStrategy(prefix), wantChoices: true });
      found.push(result.value);
      prefix = nextPrefix(result);
    }
    assert.deepEqual(found.sort(), ['', 'a', 'ab']);
  });
});
