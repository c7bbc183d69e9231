/**
 * Stands in for `node:test` in the processes under test: the same module, except that the bodies of test
 * cases run inside the gate. Suites, hooks, mocks and the runner itself stay native.
 */
import native from 'node:test';
import { shimOf } from './cases.ts';

// Names given here win over those of the star.
// @ts-expect-error: the types say that this module is a function and no namespace; Node gives both.
export * from 'node:test';

const shim = shimOf(native);
const { test, it, suite, describe, before, after, beforeEach, afterEach, getTestContext } = shim;

export default shim;
export {
  after,
  afterEach,
  before,
  beforeEach,
  describe,
  getTestContext,
  it,
  shim as 'module.exports',
  suite,
  test,
};
