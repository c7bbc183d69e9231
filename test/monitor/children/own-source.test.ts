import assert from 'node:assert/strict';
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { ownSourceOf } from '../../../monitor/children/own-source.ts';
import { configure, defaultConfig } from '../../../monitor/loader/config.ts';
import { temporary } from '../../temporary.ts';

const cwd = realpathSync(temporary('own-source'));
configure({ ...defaultConfig(cwd), exclude: ['left/**'] });
after(() => configure(defaultConfig()));
const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    main: './cli',
    scripts: { cli: 'NODE_ENV=test node cli.js', twice: 'npm run twice', lint: 'eslint cli.js' },
  }),
  ...Object.fromEntries(
    [
      'cli.js',
      'bin/tool',
      'lib/index.js',
      'left/out.js',
      'node_modules/a/cli.js',
      'node_modules/tsx/cli.js',
    ].map((name) => [name, '']),
  ),
};
for (const [name, text] of Object.entries(FILES)) {
  mkdirSync(dirname(join(cwd, name)), { recursive: true });
  writeFileSync(join(cwd, name), text);
}
mkdirSync(join(cwd, 'node_modules/.bin'));
for (const [name, target] of [
  ['mine', '../../bin/tool'],
  ['theirs', '../a/cli.js'],
] as const)
  symlinkSync(target, join(cwd, 'node_modules/.bin', name));

/** What is started, and what of the user's that is; `.`: the folder of the project. */
const STARTED: readonly (readonly [command: string | readonly string[], source: string | null])[] = [
  ['node cli.js', 'cli.js'],
  [`/usr/bin/node -r ./lib --no-warnings ${join(cwd, 'cli.js')} --port 1`, 'cli.js'],
  ['node cli', 'cli.js'],
  ['node lib', 'lib/index.js'],
  ['node .', 'cli.js'],
  ['./bin/tool cli.js', 'bin/tool'],
  ['mine --help', 'bin/tool'],
  ['node_modules/.bin/mine', 'bin/tool'],
  ['theirs cli.js', null],
  ['npx mine', 'bin/tool'],
  ['npx -y theirs', null],
  ['env -i A=1 node cli.js', 'cli.js'],
  ['timeout 20 node cli.js', 'cli.js'],
  ['npm run -s cli', 'cli.js'],
  ['yarn cli', 'cli.js'],
  ['npm exec mine', 'bin/tool'],
  ['npm run twice', null],
  ['npm run lint', null],
  ['npm run none', null],
  ['tsx --no-cache cli.js', 'cli.js'],
  ['env timeout 20 npx tsx cli.js', 'cli.js'],
  [`${'time '.repeat(60)}git`, null],
  ['node node_modules/tsx/cli.js cli.js', 'cli.js'],
  ['node node_modules/a/cli.js cli.js', null],
  ...[
    ['NODE_ENV=test A="1 2" node "cli.js" --x | cat', 'cli.js'],
    ['./bin/tool && node cli.js', 'bin/tool'],
    ['cd lib && node ../cli.js', 'cli.js'],
    ['cd . && node cli.js', 'cli.js'],
    ['echo x | node cli.js', 'cli.js'],
    ['set -e; node cli.js', 'cli.js'],
    ['node "$PWD/cli.js"', 'cli.js'],
    ['(node cli.js)', 'cli.js'],
    ['2>&1 node cli.js > out.txt', 'cli.js'],
    ['sh -c "node cli.js"', 'cli.js'],
    ['bash -lc "node cli.js"', 'cli.js'],
    ["node -e 'cli.js; node cli.js'", null],
    ['git add cli.js', null],
    ['x'.repeat(5000), null],
  ].map(([text, source]) => [['/bin/sh', '-c', text!], source ?? null] as const),
  ['node -e cli.js', null],
  ['node none.js', null],
  ['node left/out.js', null],
  ['git cli.js', null],
  ['node /etc/hostname', null],
  ['node', null],
  ['bash -c', null],
];

const sourceOf = (given: readonly unknown[], folders: readonly string[] = [cwd]) =>
  ownSourceOf({ file: String(given[0]), given, folders, pairs: ['A=1', `PATH=${cwd}/bin:/usr/bin`] });

for (const [command, source] of STARTED) {
  const given = typeof command === 'string' ? command.split(' ') : command;
  const shown = given.join(' ').replaceAll(cwd, '.').slice(0, 60);
  test(`${shown}: ${source ?? 'none of the user’s'}`, () => assert.equal(sourceOf(given), source));
}

test('a program is looked for where it runs, and where its environment says', () => {
  assert.equal(sourceOf(['node', 'index.js'], ['/nowhere', join(cwd, 'lib')]), 'lib/index.js');
  assert.equal(sourceOf(['tool'], []), 'bin/tool');
});

test('arguments that are none are of no program', () => {
  assert.equal(sourceOf(['node', 1]), null);
});
