/** Which failures only say in which order things came. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isMixedUp } from '../../rescheduler/mixed-up.ts';

const thrownBy = (check: () => void): unknown => {
  try {
    check();
  } catch (error) {
    return error;
  }
  return assert.fail('it passes');
};
const comparing = (actual: unknown, expected: unknown) => thrownBy(() => assert.deepEqual(actual, expected));

describe('a failed comparison is about order:', () => {
  const cases: readonly (readonly [string, unknown, boolean])[] = [
    ['the same in another order', comparing([2, 1], [1, 2]), true],
    ['the same objects', comparing([{ a: 1 }, { a: 2 }], [{ a: 2 }, { a: 1 }]), true],
    ['one is missing', comparing([1], [1, 2]), false],
    ['one is twice there', comparing([1, 1], [1, 2]), false],
    ['no lists', comparing('ab', 'ba'), false],
    ['as Jest tells it', { matcherResult: { actual: ['b', 'a'], expected: ['a', 'b'] } }, true],
    ['no comparison', new Error('no'), false],
    ['nothing', undefined, false],
    [
      'a getter that throws',
      Object.defineProperty({}, 'actual', { get: () => assert.fail('it was asked') }),
      false,
    ],
  ];
  for (const [name, error, expected] of cases) it(name, () => assert.equal(isMixedUp(error), expected));
});
