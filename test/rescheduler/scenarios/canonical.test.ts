import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonical, canonicalError, shown, shownError } from '../../../rescheduler/scenarios/canonical.ts';

class Point {
  x = 1;
  readonly #hidden = 2;
  get hidden(): number {
    return this.#hidden;
  }
}

const cycle: { self?: unknown } = {};
cycle.self = cycle;

const rows: readonly (readonly [string, unknown, string])[] = [
  ['plain values', { b: [1, 'x', null, true], a: -0 }, '{ a: -0, b: [1, "x", null, true] }'],
  ['no value', { a: undefined }, '{ a: undefined }'],
  ['a number of any size', 12n, '12n'],
  [
    'a map in any order',
    new Map([
      ['b', 1],
      ['a', 2],
    ]),
    'Map [["a", 2], ["b", 1]]',
  ],
  ['a set in any order', new Set([2, 1]), 'Set [1, 2]'],
  ['an instance', new Point(), 'Point { x: 1 }'],
  ['an instance without fields', new (class Empty {})(), 'Empty {}'],
  ['no prototype', Object.assign(Object.create(null), { a: 1 }), '{ a: 1 }'],
  ['bytes', Buffer.from('ab'), 'bytes "ab"'],
  ['a view of bytes', new Uint16Array([0x6261]), 'bytes "ab"'],
  ['a date', new Date(0), '1970-01-01T00:00:00.000Z'],
  ['no date', new Date(Number.NaN), 'Invalid Date'],
  ['an error within', { error: new RangeError('no 7') }, '{ error: RangeError: no # }'],
  ['a cycle', cycle, '{ self: cycle }'],
  ['a function', Math.max, '[function max]'],
  ['a promise', Promise.resolve(1), 'promise'],
  ['a path of the run', '/tmp/dir/a.json', '"<dir>/a.json"'],
  [
    'a getter that throws',
    {
      get a() {
        throw new Error('no');
      },
    },
    'unreadable with Error: no',
  ],
];

for (const [what, value, told] of rows)
  test(`a form for ${what}`, () => assert.equal(shown(canonical(value, '/tmp/dir')), told));

test('what looks like a form of ours is a value like any other', () => {
  assert.notDeepEqual(canonical('undefined'), canonical(undefined));
  assert.notDeepEqual(canonical({ undefined: true }), canonical(undefined));
  assert.notDeepEqual(canonical({}), canonical({ a: undefined }));
  assert.notDeepEqual(canonical([]), canonical({}));
});

test('it is a copy', () => {
  const value = { list: [1] };
  const form = canonical(value);
  value.list.push(2);
  assert.equal(shown(form), '{ list: [1] }');
});

test('an error is its code, or its name and its first line without numbers', () => {
  const told = (error: unknown): string => shownError(canonicalError(error, '/tmp/dir'));
  assert.equal(told(Object.assign(new Error('of 3'), { code: 'ENOENT' })), 'ENOENT');
  assert.equal(told(new TypeError('3 of 4 in /tmp/dir/x\nand more')), 'TypeError: # of # in <dir>/x');
  assert.equal(told('no error'), '"no error"');
});

test('what holds very much is cut', () => {
  const form = JSON.stringify(canonical(Array.from({ length: 30_000 }, () => ({ a: 1 }))));
  assert.ok(form.length < 400_000, String(form.length));
});
