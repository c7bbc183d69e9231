/** A test that needs what those before it in its file have set up is forced behind them. */
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { readReport, run } from '../batch/command.ts';
import { projectWithRunners, runnerCommands } from './commands.ts';

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
for (const { name, command, extension, extent, head } of runnerCommands(['a.test.cjs', 'b.test.cjs']))
  test(name, extent, async (t) => {
    const cwd = projectWithRunners(t, {
      [`a.test.${extension}`]: file(head),
      [`b.test.${extension}`]: `${head}\ntest('of another file', () => {});\n`,
    });
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
