import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ownSourceOf } from '../../../monitor/children/own-source.ts';
import { configure, defaultConfig } from '../../../monitor/loader/config.ts';
import { temporary } from '../../temporary.ts';

const cwd = realpathSync(temporary('own-source'));
configure({ ...defaultConfig(cwd), exclude: ['left/**'] });
after(() => configure(defaultConfig()));
for (const name of ['cli.js', 'bin/tool', 'lib/index.js', 'left/out.js', 'node_modules/a/cli.js']) {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), '');
}

/** What is started, and what of the user's that is; `.`: the folder of the project. */
const STARTED: readonly (readonly [command: readonly string[], source: string | null])[] = [
  [['node', 'cli.js'], 'cli.js'],
  [['/usr/bin/node', '-r', './lib', '--no-warnings', join(cwd, 'cli.js'), '--port', '1'], 'cli.js'],
  [['node', 'cli'], 'cli.js'],
  [['node', 'lib'], 'lib/index.js'],
  [['./bin/tool', 'cli.js'], 'bin/tool'],
  [['/bin/sh', '-c', 'NODE_ENV=test A=1 node "cli.js" --x | cat'], 'cli.js'],
  [['/bin/sh', '-c', './bin/tool && node cli.js'], 'bin/tool'],
  [['node', '-e', 'cli.js'], null],
  [['node', 'none.js'], null],
  [['node', 'left/out.js'], null],
  [['node', 'node_modules/a/cli.js', 'cli.js'], null],
  [['git', 'cli.js'], null],
  [['node', '/etc/hostname'], null],
  [['/bin/sh', '-c', 'x'.repeat(5000)], null],
];

for (const [command, source] of STARTED)
  test(`${command.join(' ').replaceAll(cwd, '.').slice(0, 60)}: ${source ?? 'none of the user’s'}`, () => {
    const [file] = command as [string, ...string[]];
    assert.equal(ownSourceOf({ file, given: command, folders: [cwd] }), source);
  });

test('a program is looked for where it runs', () => {
  const given = ['node', 'index.js'];
  assert.equal(ownSourceOf({ file: 'node', given, folders: ['/nowhere', join(cwd, 'lib')] }), 'lib/index.js');
});

test('arguments that are none are of no program', () => {
  assert.equal(ownSourceOf({ file: 'node', given: ['node', 1], folders: [cwd] }), null);
});
