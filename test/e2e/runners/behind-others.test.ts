/** A test that needs what those before it in its file have set up is forced behind them. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MORE } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** A server that the first test starts and the last one ends; each request counts. */
const file = (head: string): string => `${head}
const assert = require('node:assert/strict');
const { writeFileSync } = require('node:fs');
const { readFile } = require('node:fs/promises');
const http = require('node:http');
let port;
let server;
let count = 0;
const look = () => readFile('package.json');
const get = async () => (await fetch('http://127.0.0.1:' + port)).text();
test('starts', async () => {
  server = http.createServer(async (_, res) => {
    const before = count;
    await look();
    count = before + 1;
    res.end();
  });
  await new Promise((listens) => server.listen(0, '127.0.0.1', listens));
  port = server.address().port;
  await get();
});
test('asks', async () => {
  await Promise.all([get(), look().then(look).then(look).then(look).then(get)]);
  assert.equal(count, 3);
});
test('ends', async () => {
  server.closeAllConnections();
  server.close();
  writeFileSync('ended', '');
});
`;

const OPTIONS = ['--max-schedules', '2', '--confirm', '1', '--json', 'out.json'];
const REQUIRE = `import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);`;
const [MOCHA, VITEST, JEST] = ['mocha/bin/mocha.js', 'vitest/vitest.mjs', 'jest/bin/jest.js'].map(
  (command) => `node_modules/${command}`,
) as [string, string, string];

/** By runner: the extension of its tests, what they begin with, the command. Of each way to leave out other tests one is always run. */
const RUNNERS: Readonly<
  Record<string, readonly [extension: string, head: string, command: readonly string[]]>
> = {
  'node:test': ['cjs', `const { test } = require('node:test');`, ['--test', 'a.test.cjs']],
  Mocha: ['cjs', 'const test = it;', [MOCHA, 'a.test.cjs', 'b.test.cjs']],
  Vitest: ['mjs', REQUIRE, [VITEST, 'run', '--globals']],
  Jest: ['cjs', '', [JEST, '--testMatch', '**/*.test.cjs']],
};
const ALWAYS = new Set(['node:test', 'Mocha']);

for (const [runner, [extension, head, command]] of Object.entries(RUNNERS))
  test(runner, ALWAYS.has(runner) ? {} : MORE, async (t) => {
    const cwd = project(t, {
      [`a.test.${extension}`]: file(head),
      [`b.test.${extension}`]: `${head}\ntest('of another file', () => {});\n`,
    });
    symlinkSync(MODULES, join(cwd, 'node_modules'));
    const { code, out, err } = await run(cwd, ['run', ...OPTIONS, '--', process.execPath, ...command]);
    assert.equal(code, 1, out + err);
    const { bugs, tests } = readReport(cwd);
    assert.deepEqual(
      bugs.map(({ entity, test }) => [test.replace(/^.*:/, ''), entity]),
      [['asks', `a.test.${extension}:count`]],
      out,
    );
    assert.ok(
      tests.every(({ baseline }) => baseline === 'passed'),
      out,
    );
    // What comes behind it does not run with it.
    rmSync(join(cwd, 'ended'));
    const replayed = await run(cwd, ['replay', bugs[0]!.id]);
    assert.match(replayed.out, /the bug is there/, replayed.err);
    assert.equal(existsSync(join(cwd, 'ended')), false);
  });
