/**
 * What a hook has left to ticks, or asked the host for, comes behind the first statements of the test, as plainly. With `UNWEAVE_TESTS=all` under every runner,
 * with node:test alone otherwise.
 */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { MORE } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Read one after the other, in either order: forced runs are made. */
const TESTS = `let read;
let order;
const left = () => {
  read = [];
  order = [];
  process.nextTick(() => order.push('tick'));
  setImmediate(() => order.push('immediate'));
};
const body = async () => {
  order.push('body');
  process.nextTick(() => order.push('own tick'));
  const reads = ['a', 'b'].map(async (name) => {
    await readFile('package.json');
    read.push(name);
  });
  await Promise.all(reads);
  assert.deepEqual(order, ['body', 'tick', 'own tick', 'immediate']);
};
describe('hooks that wait for nothing', () => {
  beforeEach(() => left());
  it('body', body);
});
`;
/** What a hook has put in the place of ticks holds for the program alone. */
const FAKED = `describe('hooks that fake ticks', () => {
  const { nextTick } = process;
  beforeEach(() => {
    left();
    process.nextTick = (tick) => order.push(tick);
  });
  afterEach(() => {
    process.nextTick = nextTick;
  });
  it('begins', async () => {
    await readFile('package.json');
    assert.ok(order.includes('immediate'));
  });
});
`;
/** Mocha goes on in a callback of its own. */
const WAITING = `describe('hooks that wait', () => {
  beforeEach(async () => left());
  it('body', body);
});
`;

const RUNNERS: Readonly<Record<string, readonly string[]>> = {
  'node:test': ['--test', 'a.test.cjs'],
  Mocha: [join(MODULES, 'mocha/bin/mocha.js'), 'a.test.cjs'],
  Vitest: [join(MODULES, 'vitest/vitest.mjs'), 'run', '--globals', 'a.test.mjs'],
  Jest: [join(MODULES, 'jest/bin/jest.js'), 'a.test.cjs'],
};

/** What stands before the tests; Vitest has ES modules only. */
const REQUIRED = `const assert = require('node:assert');\nconst { readFile } = require('node:fs/promises');\n`;
const IMPORTED = `import assert from 'node:assert';\nimport { readFile } from 'node:fs/promises';\n`;
const OF_NODE = `const { afterEach, beforeEach, describe, it } = require('node:test');\n`;
const JEST = { testMatch: ['**/*.test.cjs'], transform: {}, moduleFileExtensions: ['cjs', 'js', 'json'] };

for (const [runner, args] of Object.entries(RUNNERS))
  test(`${runner}: ticks that hooks have left`, runner === 'node:test' ? {} : MORE, async (t) => {
    const tests = TESTS + FAKED + (runner === 'Mocha' ? '' : WAITING);
    const cwd = project(t, {
      'package.json': JSON.stringify({ private: true, jest: JEST }),
      'a.test.cjs': `${runner === 'node:test' ? OF_NODE : ''}${REQUIRED}${tests}`,
      'a.test.mjs': IMPORTED + tests,
    });
    symlinkSync(MODULES, join(cwd, 'node_modules'));
    const how = ['--max-schedules', '8', '--json', 'out.json', '--', process.execPath, ...args];
    const { code, out } = await run(cwd, ['run', ...how]);
    assert.equal(code, 0, out);
    const told = readReport(cwd).tests;
    assert.equal(told.length, runner === 'Mocha' ? 2 : 3);
    for (const { baseline, name, verdicts } of told)
      assert.deepEqual([baseline, verdicts.passed > 0], ['passed', !name.includes('fake')]);
  });
