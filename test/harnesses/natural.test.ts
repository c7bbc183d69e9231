import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import pLimit from 'p-limit';
import { HARNESSES, type Harness } from '../../harnesses/api.ts';
import { loadHarnesses } from '../../harnesses/load.ts';
import { runNaturally } from '../../harnesses/natural.ts';
import { temporary } from '../temporary.ts';
import { loadAll } from './all.ts';

const loaded = await loadAll();

/** Runs in which a program with a race may show it: nobody says how late plain Node is on a busy machine. */
const MAY_FAIL = 6;
/** One that waits for itself tells nothing, but it has not moved for much longer than the program takes. */
const STUCK_MS = 10_000;

async function runOnce(harness: Harness): Promise<void> {
  const run = runNaturally(harness);
  if (!harness.expect?.deadlock) return run;
  const over = new AbortController();
  const stuck = sleep(STUCK_MS, null, { signal: over.signal }).then(
    () => Promise.reject(new Error('a deadlock')),
    () => run,
  );
  await Promise.race([run, stuck]).finally(() => over.abort());
}

describe('the natural order of every bundled harness passes three times', { concurrency: true }, () => {
  // Files side by side, since they mostly sleep; harnesses of one file share its module state.
  const lane = pLimit(4);
  for (const { file, harnesses } of loaded)
    it(file, () =>
      lane(async () => {
        for (const harness of harnesses) {
          let failed = 0;
          for (let passed = 0; passed < 3; )
            await runOnce(harness).then(
              () => passed++,
              (error: unknown) => {
                if (!harness.expect?.bug || ++failed > MAY_FAIL) throw error;
              },
            );
        }
      }),
    );
});

const recording = (log: string[], fail: string | null = null): Harness<{ dir: string }> => ({
  name: 'recording',
  setup: ({ dir }) => {
    log.push('setup');
    return { dir };
  },
  tasks: {
    slow: async () => {
      log.push('slow begins');
      await sleep(5);
      log.push('slow ends');
    },
    quick: async () => {
      log.push('quick');
      if (fail === 'task') throw new Error('task failed');
    },
  },
  check: ({ dir }) => {
    log.push(`check ${existsSync(dir)}`);
    if (fail === 'check') throw new Error('check failed');
  },
});

describe('runNaturally', () => {
  it('sets up, starts all tasks in order, waits for them and checks', async () => {
    const log: string[] = [];
    await runNaturally(recording(log));
    assert.deepEqual(log, ['setup', 'slow begins', 'quick', 'slow ends', 'check true']);
  });

  it('gives every run a directory of its own and removes it', async () => {
    const dirs: string[] = [];
    const noting: Harness = { ...recording([]), check: ({ dir }) => dirs.push(dir) };
    await runNaturally(noting);
    await runNaturally(noting);
    assert.equal(new Set(dirs).size, 2);
    assert.deepEqual(
      dirs.map((dir) => existsSync(dir)),
      [false, false],
    );
  });

  for (const fail of ['task', 'check'])
    it(`rejects with the error of a failing ${fail}`, async () => {
      await assert.rejects(runNaturally(recording([], fail)), { message: `${fail} failed` });
    });
});

describe('files of harnesses', () => {
  const api = new URL('../../harnesses/api.ts', import.meta.url);
  const source = (name: string, check: string): string =>
    `import { harness } from '${api}';
harness({ name: '${name}', setup: () => 1, tasks: { a: async () => {} }, check: () => { ${check} } });\n`;

  it('are loaded one by one, so that equal names in two files do not clash', async () => {
    const dir = temporary('unweave-load');
    const before = (globalThis as any)[HARNESSES];
    for (const file of ['a.mjs', 'b.mjs']) {
      await writeFile(join(dir, file), source('same', ''));
      const found = await loadHarnesses(pathToFileURL(join(dir, file)));
      assert.deepEqual(
        found.map(({ name }) => name),
        ['same'],
      );
    }
    assert.equal((globalThis as any)[HARNESSES], before);
  });

  it('run on plain Node from the command line', async () => {
    const dir = temporary('unweave-load');
    const good = join(dir, 'good.mjs');
    const bad = join(dir, 'bad.mjs');
    await writeFile(good, source('good', ''));
    await writeFile(bad, source('bad', "throw new Error('wrong outcome')"));
    const runner = fileURLToPath(new URL('../../harnesses/natural.ts', import.meta.url));
    const one = spawnSync(process.execPath, [runner, good], { encoding: 'utf8' });
    assert.deepEqual([one.stdout, one.status], ['pass  good\n', 0]);
    const both = spawnSync(process.execPath, [runner, good, bad], { encoding: 'utf8' });
    assert.deepEqual([both.stdout, both.status], ['pass  good\nFAIL  bad\n      Error: wrong outcome\n', 1]);
  });
});
