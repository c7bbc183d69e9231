/** Workers that a test of another runner starts: their threads take turns as those of node:test do. */
import assert from 'node:assert/strict';
import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { MORE } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** How a test of each is written, and started. */
const RUNNERS = {
  jest: { test: `const { test } = globalThis;`, command: ['jest/bin/jest.js'] },
  vitest: { test: `import { test } from 'vitest';`, command: ['vitest/vitest.mjs', 'run'] },
  uvu: { test: `import { test } from 'uvu';`, command: ['uvu/bin.js', '.', 'bank.test'] },
} as const;

/** Two workers add to what they share; the main thread wakes each of them, and counts its own part. */
const bank = (add: string): Readonly<Record<string, string>> => ({
  'teller.cjs': `
    const { workerData } = require('node:worker_threads');
    const account = new Int32Array(workerData);
    Atomics.wait(account, 1, 0);
    ${add}
  `,
  'bank.cjs': `
    const { once } = require('node:events');
    const { join } = require('node:path');
    const { Worker } = require('node:worker_threads');
    exports.opened = async () => {
      const memory = new SharedArrayBuffer(8);
      const account = new Int32Array(memory);
      const start = () => new Worker(join(__dirname, 'teller.cjs'), { workerData: memory });
      const workers = [start(), start()];
      Atomics.store(account, 1, 1);
      Atomics.notify(account, 1);
      await Promise.all(workers.map((worker) => once(worker, 'exit')));
      return account[0];
    };
  `,
});

const testFile = (runner: keyof typeof RUNNERS): Readonly<Record<string, string>> => ({
  [runner === 'jest' ? 'bank.test.cjs' : 'bank.test.mjs']: `
    ${RUNNERS[runner].test}
    ${runner === 'jest' ? `const bank = require('./bank.cjs');` : `import bank from './bank.cjs';`}
    test('both are counted', async () => {
      const sum = await bank.opened();
      if (sum !== 2) throw new Error('the sum is ' + sum);
    });
    ${runner === 'uvu' ? 'test.run();' : ''}
  `,
  'package.json': '{ "private": true, "jest": { "testRegex": "test\\\\.cjs$" } }',
});

type Cleanup = Parameters<typeof project>[0];

function written(t: Cleanup, runner: keyof typeof RUNNERS, add: string): string {
  const dir = project(t, { ...bank(add), ...testFile(runner) });
  symlinkSync(MODULES, join(dir, 'node_modules'));
  return dir;
}

const commandOf = (runner: keyof typeof RUNNERS): string[] => {
  const [script, ...args] = RUNNERS[runner].command;
  return [process.execPath, join(MODULES, script), ...args];
};

async function analysed(t: Cleanup, runner: keyof typeof RUNNERS, add: string) {
  const dir = written(t, runner, add);
  const options = ['--max-schedules', '2', '--confirm', '1', '--json', 'out.json'];
  const ended = await run(dir, ['run', ...options, '--', ...commandOf(runner)]);
  assert.notEqual(ended.code, 2, ended.err);
  return { ...readReport(dir), ended };
}

describe('workers that a test starts', () => {
  for (const runner of ['jest', 'vitest', 'uvu'] as const) {
    // Those of uvu are started as those of node:test are.
    it(`of ${runner} take turns, and the test judges`, runner === 'uvu' ? MORE : {}, async (t) => {
      const cwd = written(t, runner, 'account[0] += 1;');
      const [subject] = await recordCommand(commandOf(runner), { cwd });
      const threads = subject!.threads!();
      t.after(() => threads.close());
      const { ran, trace } = await threads.execute({ kind: 'observed' }, { watchdogMs: 10_000 });
      assert.deepEqual([ran.outcome, ran.ungated], ['pass', {}], ran.failure?.message);
      const { entities, points, threads: names } = trace!.names;
      assert.deepEqual(names.slice(0, 3), ['main', 'worker 1', 'worker 2']);
      assert.ok(entities.includes('account[0]'), entities.join());
      // What the test's own thread does to it is a step as well, but with Vitest, which reads its files in another process.
      assert.equal(
        points.some((point) => point.startsWith('bank.cjs:')),
        runner !== 'vitest',
        points.join(),
      );
      writeFileSync(join(cwd, 'teller.cjs'), 'throw new Error("closed");');
      const { failure, outcome } = await threads.executeFresh({ kind: 'observed' }, { watchdogMs: 10_000 });
      assert.equal(outcome, 'fail');
      assert.match(failure!.message, /closed/);
    });

    it(`of ${runner} are looked at: what two of them lose is found`, MORE, async (t) => {
      const { bugs, ended } = await analysed(t, runner, 'account[0] += 1;');
      const found = bugs.map(({ entity, pattern, first }) => [entity, pattern, first?.file]);
      assert.deepEqual(found, [['account[0]', 'RWW', 'teller.cjs']], ended.out);
      assert.match(bugs[0]!.test, /^bank\.test\.[cm]js:both are counted \(threads\)$/);
    });

    it(`of ${runner} are silent where nothing is lost`, MORE, async (t) => {
      const { bugs, ended, tests } = await analysed(t, runner, 'Atomics.add(account, 0, 1);');
      assert.deepEqual(bugs, [], ended.out);
      const { passed, unknown } = tests[0]!.verdicts;
      assert.deepEqual([passed > 0, unknown], [true, 0], ended.out);
    });
  }
});
