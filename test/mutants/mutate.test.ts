/** The operators: source in, mutants out. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mutate } from './mutate.ts';

type Row = readonly [what: string, source: string, mutants: readonly (readonly [string, string])[]];

const LOCKS: readonly Row[] = [
  [
    'a function under a lock is called without',
    'await this.lock.runExclusive(async () => work(), 3);',
    [['unlock', 'await (async () => work())();']],
  ],
  [
    'so is one under a keyed lock',
    'await lock.acquire(key, () => work());',
    [['unlock', 'await (() => work())();']],
  ],
  ['so is one under a limit', 'await this.limit(() => work());', [['unlock', 'await (() => work())();']]],
  [
    'a lock acquired by hand is not acquired, and its release does nothing',
    'const release = await lock.acquire();',
    [['unlock', 'const release = await (() => {});']],
  ],
  [
    'each use is a mutant of its own',
    'await a.runExclusive(() => one());\nawait a.runExclusive(() => two());',
    [
      ['unlock', 'await (() => one())();\nawait a.runExclusive(() => two());'],
      ['unlock', 'await a.runExclusive(() => one());\nawait (() => two())();'],
    ],
  ],
  [
    'a queue of promises is no longer waited for',
    'this.tail = this.tail.then(() => work());',
    [['unchain', 'this.tail = (() => work())();']],
  ],
  ['another chain stays', 'this.tail = other.then(() => work());', []],
  ['other calls stay', 'await work(() => 1);\nlist.map((x) => x);', []],
];

const MOVES: readonly Row[] = [
  ['a statement before an await', '{ a(); await b(); }', [['later', '{ await b(); a(); }']]],
  ['a statement after an await', '{ await b(); a(); }', [['earlier', '{ a(); await b(); }']]],
  ['two awaits', '{ await a(); await b(); }', [['swapped', '{ await b(); await a(); }']]],
  ['no await, no mutant', '{ a(); b(); }', []],
  ['an await of an inner function is not one', '{ a(); const f = async () => { await b(); }; }', []],
  [
    'an await inside of a statement is one',
    '{ if (x) { await b(); } a(); }',
    [['earlier', '{ a(); if (x) { await b(); } }']],
  ],
  ['what needs the declared name stays behind it', '{ const x = await a(); use(x); }', []],
  ['a return stays', 'async () => { a(); return await b(); };', []],
];

describe('mutants', () => {
  for (const [title, rows] of [
    ['delete the use of a lock', LOCKS],
    ['move a statement across an await', MOVES],
  ] as const)
    describe(title, () => {
      for (const [what, source, expected] of rows)
        it(what, () => {
          const mutants = mutate(source, () => true);
          assert.deepEqual(
            mutants.map(({ operator, text }) => [operator, text]),
            expected,
          );
        });
    });

  it('are made only where the program runs', () => {
    const source = 'async () => { a(); await b(); };\nasync () => { c(); await d(); };';
    const second = source.indexOf('c()') - 3;
    const mutants = mutate(source, (offset) => offset >= second);
    assert.deepEqual(
      mutants.map(({ line, text }) => [line, text]),
      [[2, source.replace('c(); await d();', 'await d(); c();')]],
    );
  });
});
