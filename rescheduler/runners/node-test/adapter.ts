/** Node's own test runner: whoever imports `node:test` gets a module that wraps the bodies. */
import { NOTHING, type RunnerAdapter } from '../adapter.ts';
import { redirectTests } from './redirect.ts';

export const nodeTest: RunnerAdapter = {
  name: 'node-test',
  install: () => ({ ...NOTHING, hasTests: redirectTests() }),
};
