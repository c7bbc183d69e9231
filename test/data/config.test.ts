import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closest } from '../../data/closest.ts';
import { ConfigError, parseConfig } from '../../data/config.ts';

const says = (text: string, message: string | RegExp): void =>
  assert.throws(
    () => parseConfig(text, 'c.json'),
    (error) => {
      assert.ok(error instanceof ConfigError, String(error));
      assert.ok(!error.message.includes('\n'), error.message);
      if (typeof message === 'string') assert.equal(error.message, message);
      else assert.match(error.message, message);
      return true;
    },
  );

test('an empty configuration has the defaults', () => {
  assert.deepEqual(parseConfig('{}', 'c.json'), {
    instrument: [],
    exclude: [],
    locks: [],
    atomic: [],
    notAtomic: [],
    deep: false,
    maxStallMs: 1000,
    maxPauseMs: 250,
    loopback: 'network',
    watchdogMs: 10_000,
    commandTimeoutMs: 60_000,
    confirm: 3,
    seed: 1,
    assumeIo: [],
    allowPeers: [],
    freeRecording: false,
    ignore: [],
    failOn: [],
    reportOnly: false,
    store: '.unweave/trace.db',
  });
});

test('what is written replaces the default', () => {
  const written = {
    $schema: './s.json',
    instrument: ['p-limit'],
    maxSchedules: 0,
    totalTimeMs: 5,
    jobs: 2,
    seed: 9,
  };
  const config = parseConfig(`\uFEFF${JSON.stringify(written)}`, 'c.json');
  assert.deepEqual({ ...config, ...written }, config);
});

test('an unknown key is refused, with the key that was meant', () => {
  says('{"maxScedules": 1}', 'c.json: unknown key "maxScedules" (did you mean "maxSchedules"?)');
  says('{"maxstall": 1}', 'c.json: unknown key "maxstall" (did you mean "maxStallMs"?)');
  says('{"colour": 1}', 'c.json: unknown key "colour"');
  says('{"__proto__ ": 1}', /unknown key/);
});

test('a wrong value is refused, with its place', () => {
  says('{"maxTimeMs": "1s"}', /^c\.json: maxTimeMs: expected number/);
  says('{"confirm": 0}', /^c\.json: confirm: /);
  says('{"seed": 1.5}', /^c\.json: seed: /);
  says('{"ignore": "x"}', /^c\.json: ignore: expected array/);
  says('{"exclude": ["a", 3]}', /^c\.json: exclude\.1: expected string/);
  says('{"exclude": [""]}', /^c\.json: exclude\.0: /);
});

for (const text of ['', '{', '{"a" 1}', '{\n  "seed": 1,\n}'])
  test(`${JSON.stringify(text)} is not JSON`, () => says(text, /^c\.json: not JSON: /));

for (const text of ['null', '[]', '3', '"x"'])
  test(`${text} is no configuration`, () => says(text, /^c\.json: expected object/));

test('the closest word is near or not there', () => {
  assert.equal(closest('sede', ['seed', 'store']), 'seed');
  assert.equal(closest('x', ['seed', 'store']), undefined);
  assert.equal(closest('SEED', ['seed']), 'seed');
  assert.equal(closest('', ['seed']), undefined);
});
