/** What hooks have set going belongs to the test behind them, which waits for it by a clock that leaps. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MORE } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const POLLER = `
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let value = 0;
const read = async () => { await sleep(5); return value; };
const add = async (n) => { const before = await read(); await sleep(5); value = before + n; };
const started = setInterval(() => exports.loaded++, 400);
started.unref();
module.exports = exports = {
  loaded: 0,
  add,
  read,
  begin(ms) { value = 0; return setInterval(() => add(1), ms); },
};
`;

const file = (head: string): string => `${head}
const assert = require('node:assert/strict');
const poller = require('./poller.cjs');
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
describe('set going', () => {
  let ticks, rounds, interval, going, signal;
  beforeEach(async () => {
    [ticks, rounds, going] = [0, 0, true];
    signal = AbortSignal.timeout(500);
    interval = setInterval(() => { ticks += 1; }, 100);
    (async () => { while (going) { await sleep(100); rounds += 1; } })();
    await sleep(120);
  });
  afterEach(() => { clearInterval(interval); going = false; });
  test('goes on', async () => {
    const before = [ticks, rounds, poller.loaded];
    await sleep(1000);
    [ticks, rounds, poller.loaded].forEach((now, i) => assert.ok(now > before[i], String(i)));
    assert.equal(signal.aborted, true);
  });
});
describe('poller', () => {
  let poll;
  beforeEach(() => { poll = poller.begin(200); });
  afterEach(() => clearInterval(poll));
  test('both add', async () => {
    await sleep(212);
    await poller.add(10);
    assert.equal(await poller.read(), 11);
  });
});
`;

const OPTIONS = ['--max-schedules', '4', '--confirm', '1', '--json', 'out.json'];
const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;
const [MOCHA, VITEST, JEST] = ['mocha/bin/mocha.js', 'vitest/vitest.mjs', 'jest/bin/jest.js'].map(
  (command) => `node_modules/${command}`,
) as [string, string, string];

/** By runner: the extension of its tests, what they begin with, the command. */
const RUNNERS: Readonly<
  Record<string, readonly [extension: string, head: string, command: readonly string[]]>
> = {
  'node:test': [
    'cjs',
    `const { test, describe, beforeEach, afterEach } = require('node:test');`,
    ['--test', 'a.test.cjs'],
  ],
  Mocha: ['cjs', 'const test = it;', [MOCHA, 'a.test.cjs']],
  Vitest: ['mjs', REQUIRE, [VITEST, 'run', '--globals']],
  Jest: ['cjs', '', [JEST, '--testMatch', '**/*.test.cjs']],
};
const ALWAYS = new Set(['node:test', 'Mocha']);

for (const [runner, [extension, head, command]] of Object.entries(RUNNERS))
  test(runner, ALWAYS.has(runner) ? {} : MORE, async (t) => {
    const cwd = project(t, { [`a.test.${extension}`]: file(head), 'poller.cjs': POLLER });
    symlinkSync(MODULES, join(cwd, 'node_modules'));
    const { out, err } = await run(cwd, ['run', ...OPTIONS, '--', process.execPath, ...command]);
    const { bugs, tests } = readReport(cwd);
    assert.deepEqual(
      tests.map(({ baseline }) => baseline),
      Array(2).fill('passed'),
      out + err,
    );
    assert.deepEqual(
      bugs.map(({ entity, test }) => [test.replace(/^.*> /, ''), entity]),
      [['both add', 'poller.cjs:value']],
      out,
    );
  });
