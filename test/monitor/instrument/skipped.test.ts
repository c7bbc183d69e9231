/** What is left alone, and is said to be. */
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { prepare } from './helpers.ts';

const TABLE: readonly [string, string, readonly string[]][] = [
  ['nothing', 'o.k = o.j', []],
  [
    'a call of what an optional chain in parentheses gives',
    'f = (o) => (o?.a.b)()',
    ['1:13 member behind an optional chain'],
  ],
  ['members with their own question mark', 'f = (o) => o?.a?.b', []],
  ['computed members behind another one', 'f = (o, k) => o?.a[k].b[k]', []],
  [
    'computed members behind a call in an optional chain',
    'f = (o, k) => o?.a()[k]',
    ['1:15 member behind an optional chain'],
  ],
  ['writes in parameters', 'function f(o, x = (g(o).k = 1)) {}', []],
  [
    'computed writes in parameters',
    'function f(o, x = (g(o)[h()] = 1)) {}',
    ['1:20 write where no variable can be declared'],
  ],
  [
    'writes in field initialisers',
    'class A { x = (g()[h()] = 1) }',
    ['1:16 write where no variable can be declared'],
  ],
  [
    'the end of a block',
    'async () => { await using x = f() }',
    ['1:15 what is awaited at the end of the block'],
  ],
];

suite('left alone', () => {
  for (const [title, source, expected] of TABLE) {
    test(title, () => {
      const { skipped } = prepare(source);
      assert.deepEqual(
        skipped.map(({ line, column, reason }) => `${line}:${column} ${reason}`),
        expected,
      );
    });
  }

  test('files in which Babel finds a name declared twice do not parse', () => {
    const source = 'try {} catch (foo) { if (1) function foo() {} }';
    assert.doesNotThrow(() => new Function(source));
    assert.throws(() => prepare(source), SyntaxError);
  });

  test('files with `with`, or with our own names', () => {
    for (const source of ['with (o) { a.b = 1 }', 'var __cov = 1; a.b = 1']) {
      const { code, sites } = prepare(source);
      assert.equal(code, source);
      assert.deepEqual(sites, []);
    }
  });
});
