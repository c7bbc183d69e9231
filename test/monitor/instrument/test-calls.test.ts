/** Which calls of a test are told, and that they do what they did. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { instrument } from '../../../monitor/instrument/instrument.ts';

const OPTIONS = {
  file: 'a.test.js',
  kind: 'module',
  typescript: false,
  testCalls: 'alone',
  firstSite: 0,
} as const;
const told = (code: string): string[] => instrument(code, OPTIONS).sites.map(({ text }) => text);

const HEAD = `import { Store, open } from './store.js'; import lib from 'lib'; import fs from 'node:fs'; import { expect } from 'vitest';`;
const rows: [what: string, code: string, wanted: string[]][] = [
  ['methods of what is made of an import', 'const s = new Store(); s.set(1);', ['s.set']],
  ['functions of modules', 'lib.run(); open();', ['lib.run', 'open']],
  ['what a factory returns', 'const limit = lib(1); limit();', ['lib', 'limit']],
  ['what a hook sets', 'let s; before(() => { s = new Store(); }); s.get();', ['s.get']],
  ['what is made on the spot', 'new Store().get();', ['new Store().get']],
  ['what CommonJS requires', "const x = require('x'); x.go(); (0, x.go)();", ['x.go', 'x.go']],
  [
    'arguments of assertions, not these',
    'const s = open(); expect(s.get()).resolves.toBe(1);',
    ['open', 's.get'],
  ],
  ['none of the host', "fs.promises.readFile('x'); fetch('x'); Promise.all([]); new Map().get(1);", []],
  [
    'none of the file itself',
    'function f() {} const g = () => {}; const o = { m() {} }; class C {} f(); g(); o.m(); new C().m();',
    [],
  ],
  ['not what is the host in other clothes', 'const sleep = promisify(setTimeout); sleep(1);', []],
];
describe('calls of a test:', () => {
  for (const [what, code, wanted] of rows)
    test(what, () => assert.deepEqual(told(`${HEAD}\n${code}`), wanted));
});

test('nothing is told where nobody asked for it', () => {
  const { testCalls: _, ...options } = OPTIONS;
  assert.doesNotMatch(instrument(`${HEAD} open();`, options).code, /__cov\.callee/);
});
