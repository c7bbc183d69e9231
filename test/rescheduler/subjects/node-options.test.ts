import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { scriptIn, takesValue } from '../../../data/node-options.ts';
import {
  joinOptions,
  optionValue,
  splitOptions,
  withoutDropped,
} from '../../../rescheduler/subjects/node-options.ts';

test('options take a value exactly where this Node says so', () => {
  const { stdout } = spawnSync(process.execPath, ['--help'], { encoding: 'utf8' });
  const options = new Map<string, boolean>();
  for (const [line] of stdout.matchAll(/^ {2}-.*$/gm)) {
    // What stands behind the last name counts for all of them.
    const names = [...line.matchAll(/(--[a-z][\w-]*)(\[?=\S*)?/g)];
    const value = names.at(-1)?.[2]?.startsWith('=') ?? false;
    for (const [, name] of names) options.set(name!, value);
  }
  assert.ok(options.get('--test-name-pattern') && options.get('--test') === false);
  options.set('--print', true);
  const wrong = [...options].filter(([name, value]) => takesValue(name) !== value);
  assert.deepEqual(wrong, []);
});

test('the script among arguments', () => {
  const rows: [string, string | null][] = [
    ['a.js b.js', 'a.js'],
    ['--import x a.js', 'a.js'],
    ['-r ./x.cjs --enable-source-maps --import=y --conditions z a.js --import b', 'a.js'],
    ['--title -- a.js', 'a.js'],
    ['-- a.js', 'a.js'],
    ['-e 1 a.js', null],
    ['--import x --eval=1', null],
    ['--test', null],
  ];
  for (const [given, script] of rows) assert.equal(scriptIn(given.split(' ')), script, given);
});

test('options of the runner go with their values, all others stay with theirs', () => {
  const rows: [string[], string[]][] = [
    [['--test', '--test-name-pattern', '^a name with spaces$', '--test-only'], ['--test-only']],
    [['--test-udp-no-try-send'], ['--test-udp-no-try-send']],
    [
      ['--test-name-pattern=a b', '--conditions', 'x'],
      ['--conditions', 'x'],
    ],
    [
      ['--test_skip_pattern', 'a', '-r', './x.cjs'],
      ['-r', './x.cjs'],
    ],
    [
      ['--test-reporter', 'spec', '--test-reporter-destination', 'stdout', '--no-warnings'],
      ['--no-warnings'],
    ],
    [['--experimental-test-coverage', '--test-coverage-lines', '80', '--test-shard', '1/2'], []],
    [
      ['--watch', '--watch-path', 'src', '--env-file', '.env'],
      ['--env-file', '.env'],
    ],
    [
      ['--test-force-exit', '--enable-source-maps', '--inspect', '--inspect-port', '0'],
      ['--enable-source-maps'],
    ],
    [
      ['--experimental-test-module-mocks', '--test-global-setup', './g.mjs'],
      ['--experimental-test-module-mocks', '--test-global-setup', './g.mjs'],
    ],
    [['--input-type', 'module', '--test-isolation', 'none', '--no-test-force-exit'], []],
  ];
  for (const [given, left] of rows) assert.deepEqual(withoutDropped(given), left, given.join(' '));
});

test('a value is found in both spellings', () => {
  assert.equal(optionValue(['--test-isolation', 'none'], '--test-isolation'), 'none');
  assert.equal(
    optionValue(
      ['--test-isolation=process', '--experimental-test-isolation=none'],
      '--test-isolation',
      '--experimental-test-isolation',
    ),
    'none',
  );
  assert.equal(optionValue(['--test'], '--test-isolation'), undefined);
});

test('NODE_OPTIONS are split as Node splits them, and put together again', () => {
  const texts = [
    '--no-warnings  --conditions=x',
    '--test-name-pattern="a b" --no-warnings',
    '"--conditions=with \\"quotes\\" and \\\\" --title=a\\b',
    '--title=x"y z"w',
  ];
  const PROBE = `const { getOptionValue } = require('internal/options');
    console.log(JSON.stringify(['--title', '--conditions', '--test-name-pattern'].map(getOptionValue)))`;
  const told = (args: readonly string[], NODE_OPTIONS: string) => {
    const all = ['--expose-internals', ...args, '-e', PROBE];
    const env = { ...process.env, NODE_OPTIONS };
    return spawnSync(process.execPath, all, { encoding: 'utf8', env }).stdout;
  };
  for (const text of texts) {
    assert.match(told([], text), /^\[/, text);
    assert.equal(told(splitOptions(text), ''), told([], text), text);
    assert.deepEqual(splitOptions(joinOptions(splitOptions(text))), splitOptions(text));
  }
});
