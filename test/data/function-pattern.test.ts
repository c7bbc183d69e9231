import assert from 'node:assert/strict';
import { test } from 'node:test';
import { namesFunction } from '../../data/function-pattern.ts';

const NAMED: [pattern: string, file: string, fn: string, named: boolean][] = [
  ['src/bank.ts#deposit', 'src/bank.ts', 'deposit', true],
  ['src/bank.ts#deposit', 'src/bank.ts', 'Account.deposit', true],
  ['src/bank.ts#Account.deposit', 'src/bank.ts', 'Account.deposit', true],
  ['src/bank.ts#Account.deposit', 'src/bank.ts', 'deposit', false],
  ['src/bank.ts#posit', 'src/bank.ts', 'deposit', false],
  ['src/**#deposit', 'src/money/bank.ts', 'deposit', true],
  ['src/*#deposit', 'src/money/bank.ts', 'deposit', false],
  ['#deposit', 'anywhere.ts', 'deposit', true],
  ['src/bank.ts', 'src/bank.ts', 'anything', true],
  ['src/bank.ts', 'src/other.ts', 'anything', false],
  ['src/bank.ts#Account.#seal', 'src/bank.ts', 'Account.#seal', true],
];

for (const [pattern, file, fn, named] of NAMED)
  test(`'${pattern}' ${named ? 'names' : 'does not name'} ${fn} of ${file}`, () =>
    assert.equal(namesFunction(pattern, file, fn), named));
