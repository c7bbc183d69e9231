import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitArgv, targetOf, withNumbers } from '../../cli/argv.ts';
import { list, seconds, wholeFrom } from '../../cli/flags.ts';

test('the first "--" separates the test command, which may have its own', () => {
  assert.deepEqual(splitArgv(['run', 'a']), { own: ['run', 'a'], command: null });
  assert.deepEqual(splitArgv(['run', '--', 'npm', 'test', '--', '--x']), {
    own: ['run'],
    command: ['npm', 'test', '--', '--x'],
  });
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (own, command) => {
      fc.pre(!own.includes('--'));
      assert.deepEqual(splitArgv([...own, '--', ...command]), { own, command });
    }),
  );
});

test('a command or harnesses, never both', () => {
  assert.deepEqual(targetOf([], ['node', 'a.js']), { kind: 'command', argv: ['node', 'a.js'] });
  assert.deepEqual(targetOf(['a', 'b'], null), { kind: 'harness', paths: ['a', 'b'] });
  assert.equal(targetOf([], null), null);
  assert.throws(() => targetOf(['a'], ['node']), /not both/);
  assert.throws(() => targetOf([], []), /no test command after "--"/);
});

test('numbers are whole where they must be, and nothing else is taken for one', () => {
  assert.equal(wholeFrom(0)('0'), 0);
  assert.equal(wholeFrom(1)('12'), 12);
  for (const text of ['', '-1', '1.5', '1e3', 'x', '0x10', '9007199254740993'])
    assert.throws(() => wholeFrom(0)(text), /whole number/, text);
  assert.throws(() => wholeFrom(1)('0'), /from 1 on/);
  assert.equal(seconds('0.5'), 0.5);
  const durations = { '90s': 90, '5m': 300, '1h30m': 5400, '500ms': 0.5, '1.5m': 90 };
  for (const [text, value] of Object.entries(durations)) assert.equal(seconds(text), value, text);
  for (const text of ['', '0', '-1', 'x', 'Infinity', '0s', '5x', '5 m', 'm', '5m3'])
    assert.throws(() => seconds(text), /seconds/, text);
});

test('lists: repeated, comma separated, braces kept', () => {
  assert.deepEqual(list('b, c', list('a')), ['a', 'b', 'c']);
  assert.deepEqual(list('src/{a,b}/*.js,x'), ['src/{a,b}/*.js', 'x']);
  assert.throws(() => list(' , '), /at least one/);
});

test('--witness takes a number, and nothing else that follows it', () => {
  assert.deepEqual(withNumbers(['run', '--witness', 'harnesses']), ['run', '--witness=10', 'harnesses']);
  assert.deepEqual(withNumbers(['replay', 'b1', '--witness']), ['replay', 'b1', '--witness=10']);
  for (const args of [['--witness', '3', 'x'], ['--witness=3'], ['--witness', '-3']])
    assert.deepEqual(withNumbers(args), args);
});
