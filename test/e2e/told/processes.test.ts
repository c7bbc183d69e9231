/** What sources of the user's do in processes of their own nobody judges: that is said, and the test has no green mark. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const FILES = {
  'cli.js': `import { readFile } from 'node:fs/promises';
    let read = 0;
    const add = async () => { const before = read; await readFile('package.json'); read = before + 1; };
    await Promise.all([add(), add()]);
  `,
  'a.test.js': `import assert from 'node:assert/strict';
    import { execFile, execFileSync, spawnSync } from 'node:child_process';
    import { test } from 'node:test';
    import { promisify } from 'node:util';
    const node = process.execPath;
    test('stands still', () => assert.equal(spawnSync(node, ['cli.js']).status, 0));
    test('waits', () => promisify(execFile)(node, ['cli.js']));
    test('by a shell', () => assert.equal(spawnSync('node cli.js', { shell: true }).status, 0));
    test('of the tests', () => execFileSync(node, ['-e', '0']));
    test('none', () => {});
  `,
};

test('tests that run sources of the user’s in other processes are analysed in part, and told as one', async (t) => {
  const cwd = project(t, FILES);
  const options = ['run', '--json', 'out.json'];
  const { code, out } = await run(cwd, [...options, '--', 'node', '--test', 'a.test.js']);
  assert.equal(code, 0, out);
  const within = { processes: ['cli.js'], shared: [], blind: false, within: true };
  assert.deepEqual(
    readReport(cwd).tests.map(({ name, beside }) => [name, beside]),
    [
      ['stands still', [within]],
      ['waits', [within]],
      ['by a shell', [within]],
      ['of the tests', []],
      ['none', []],
    ],
  );
  assert.match(
    out,
    /◐ a\.test\.js {2}3 tests — PARTLY ANALYSED.*\n(.*\n)*? *not judged: what cli\.js does in a process of its own\n/,
  );
  assert.match(out, /✓ a\.test\.js {2}2 tests/);
  const strict = await run(cwd, [...options, '--fail-on', 'partly', '--', 'node', '--test', 'a.test.js']);
  assert.equal(strict.code, 3, strict.out);
});

test('a script that runs another one', async (t) => {
  const cwd = project(t, {
    ...FILES,
    'script.js': `import { spawnSync } from 'node:child_process';
      process.exitCode = spawnSync(process.execPath, ['cli.js']).status;`,
  });
  const { code, out } = await run(cwd, ['run', '--', 'node', 'script.js']);
  assert.equal(code, 3, out);
  assert.match(out, /◐ script\.js .*\n *not judged: what cli\.js does in a process of its own\n/);
  assert.match(out, /^nothing was judged: all that is tested here runs in processes of its own/m);
});
