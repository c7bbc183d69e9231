/** What a test or a script starts is part of it, however it is started; what stands in front of a test is not in its way. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { options, project } from './projects.ts';

const CHILDREN = {
  'child.mjs': `if (process.argv[2] !== 'ok') process.exit(1);`,
  'forked.cjs': `process.send(1); setTimeout(() => process.disconnect(), 5);`,
  'inner.mjs': `import { test } from 'node:test'; test('of the inner suite', () => {});`,
  'parent.mjs': `import { spawn } from 'node:child_process'; spawn(process.execPath, ['child.mjs', 'ok'], { stdio: 'inherit' });`,
};
/** Ends with 1 where it finds anything of ours. */
const LOOKS = `process.exitCode = Object.keys(process.env).some((key) => /^(NODE_OPTIONS$|UNWEAVE_)/.test(key)) ? 1 : 0;`;
const HEAD = `
  import assert from 'node:assert/strict'; import { test } from 'node:test'; import { once } from 'node:events';
  import cluster from 'node:cluster'; import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
  import { exec, fork, spawn, spawnSync } from 'node:child_process';
  const node = process.execPath;
  const ended = async (child) => (await once(child, 'exit'))[0];`;

/** What a test may start, by name. */
const STARTED: Readonly<Record<string, string>> = {
  'a script that passes': `assert.equal(await ended(spawn(node, ['child.mjs', 'ok'])), 0);`,
  'a script that is to fail': `assert.equal(await ended(spawn(node, ['child.mjs', 'bad'])), 1);`,
  'a script and waits for it': `assert.equal(spawnSync(node, ['child.mjs', 'bad']).status, 1);`,
  'a script through a shell': `assert.equal(await ended(exec('"' + node + '" child.mjs bad')), 1);`,
  'a script without the context of the runner': `
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    assert.equal(await ended(spawn(node, ['child.mjs', 'bad'], { env })), 1);`,
  'a script that starts another': `assert.equal(await ended(spawn(node, ['parent.mjs'])), 0);`,
  'a script with an IPC channel': `assert.equal(await ended(fork('forked.cjs')), 0);`,
  'a script in a temporary folder': `
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'k-'));
    fs.copyFileSync('forked.cjs', path.join(dir, 'k.cjs'));
    assert.equal(await ended(fork(path.join(dir, 'k.cjs'))), 0);`,
  itself: `assert.equal(await ended(spawn(node, [import.meta.filename, 'again'])), 0);`,
  'another suite': `
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    assert.equal(await ended(spawn(node, ['--test', 'inner.mjs'], { env })), 0);`,
  'a suite whose tests run': `
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    assert.match(spawnSync(node, ['inner.mjs'], { env, encoding: 'utf8' }).stdout, /^. pass 1$/m);`,
  'a script that looks around': `assert.equal(await ended(spawn(node, ['looks.mjs'])), 0);`,
  'a file of tests': `assert.equal(await ended(spawn(node, ['inner.mjs'])), 0);`,
  'a script that is killed': `
    const child = spawn(node, ['-e', 'setInterval(() => {}, 1000)']);
    child.kill('SIGKILL');
    assert.equal(await ended(child), null);`,
};

const tests = Object.entries(STARTED).map(([name, body]) => `test('${name}', async () => { ${body} });`);
const SUITE = `${HEAD}\nif (process.argv[2] !== 'again') {\n${tests.join('\n')}\n}`;

describe('what a test starts is no subject:', () => {
  const expected = Object.keys(STARTED).map((name) => `suite.test.mjs:${name}`);
  const cwd = project({ ...CHILDREN, 'looks.mjs': LOOKS, 'suite.test.mjs': SUITE });
  for (const command of [
    ['node', '--test', 'suite.test.mjs'],
    ['node', '--test', '--test-isolation=none', 'suite.test.mjs'],
    ['node', 'suite.test.mjs'],
  ])
    test(command.join(' '), async () => {
      const found = await recordCommand(command, { cwd });
      assert.deepEqual(
        found.map(({ id }) => id),
        expected,
      );
      for (const subject of found)
        assert.equal((await subject.record(options())).result.outcome, 'pass', subject.id);
    });
});

test('what a script starts runs as it would without us', async () => {
  const cwd = project({
    'looks.mjs': LOOKS,
    'main.mjs': `
      import { spawn } from 'node:child_process';
      spawn(process.execPath, ['looks.mjs']).on('exit', (code) => { process.exitCode = code; });`,
  });
  const [subject] = await recordCommand(['node', 'main.mjs'], { cwd });
  assert.equal((await subject!.record(options())).result.outcome, 'pass');
});

describe('a command may stand behind others:', () => {
  const files = {
    ...CHILDREN,
    'a.test.mjs': `import { test } from 'node:test'; test('a', () => {});`,
    'main.mjs': `console.log('main');`,
    'launch.mjs': `
      import { spawnSync } from 'node:child_process';
      process.exitCode = spawnSync(process.execPath, process.argv.slice(2), { stdio: 'inherit' }).status;`,
    'run.mjs': `
      import { run } from 'node:test';
      run({ files: ['a.test.mjs'] }).resume();`,
    'broken.test.mjs': `import { test } from 'node:test'; test('never', () => {}); throw new Error('at the top');`,
    'package.json': JSON.stringify({
      scripts: {
        pretest: 'node main.mjs',
        test: 'node --test a.test.mjs',
        launched: 'node launch.mjs --test a.test.mjs',
      },
    }),
  };
  const rows: [string[], string[]][] = [
    [
      ['npm', 'test'],
      ['a.test.mjs:a', 'main.mjs:main.mjs'],
    ],
    [['npm', 'run', 'launched'], ['a.test.mjs:a']],
    [['node', 'launch.mjs', '--test', 'a.test.mjs'], ['a.test.mjs:a']],
    [['node', 'launch.mjs', 'a.test.mjs'], ['a.test.mjs:a']],
    [['node', 'run.mjs'], ['a.test.mjs:a']],
    [
      ['sh', '-c', 'node main.mjs && node a.test.mjs'],
      ['a.test.mjs:a', 'main.mjs:main.mjs'],
    ],
    // A script and what it starts are one program.
    [['node', 'launch.mjs', 'main.mjs'], ['launch.mjs:launch.mjs main.mjs']],
    [['node', 'parent.mjs'], ['parent.mjs:parent.mjs']],
    [
      ['node', 'launch.mjs', '--test', 'a.test.mjs', 'broken.test.mjs'],
      ['a.test.mjs:a', 'broken.test.mjs:broken.test.mjs'],
    ],
  ];
  const cwd = project(files);
  for (const [command, expected] of rows)
    test(command.join(' '), async () => {
      const found = await recordCommand(command, { cwd });
      assert.deepEqual(found.map(({ id }) => id).sort(), expected);
    });
});

describe('an id is the same in every run where a name has a temporary path in it:', () => {
  const cwd = project({
    'a.test.mjs': `
      import { describe, it, test } from 'node:test'; import fs from 'node:fs'; import os from 'node:os'; import path from 'node:path';
      const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'k-'));
      test('reads ' + path.join(dir, 'a.txt'), () => {});
      test('reads "' + dir + '" as well', () => {});
      test('in ' + os.tmpdir(), () => {});
      describe(path.join(os.tmpdir(), 'x-' + process.pid), () => { it('inside', () => {}); });
      test('imports', async () => {
        const file = path.join(dir, 'b.mjs');
        fs.writeFileSync(file, "import { test } from 'node:test'; await test('there', () => {});");
        await import(file);
      });`,
    'main.mjs': `process.exitCode = process.argv.length === 4 ? 0 : 1;`,
  });
  const rows: [string[], string[]][] = [
    [
      ['node', '--test'],
      [
        '$TMPDIR/*/b.mjs:imports > there',
        'a.test.mjs:reads $TMPDIR/*/a.txt',
        'a.test.mjs:reads "$TMPDIR/*" as well',
        'a.test.mjs:in $TMPDIR',
        'a.test.mjs:$TMPDIR/* > inside',
      ],
    ],
    [['sh', '-c', 'node main.mjs "$(mktemp -d)" x'], ['main.mjs:main.mjs $TMPDIR/* x']],
  ];
  for (const [command, expected] of rows)
    test(command.join(' '), async () => {
      const found = await recordCommand(command, { cwd });
      assert.deepEqual(
        found.map(({ id }) => id),
        expected,
      );
      for (const subject of found) {
        const { outcome, failure } = await subject.executeFresh({ kind: 'observed' }, options());
        assert.equal(outcome, 'pass', `${subject.id}: ${failure?.message}`);
        assert.equal((await subject.execute({ kind: 'observed' }, options())).outcome, 'pass', subject.id);
        await subject.close();
      }
    });
});
