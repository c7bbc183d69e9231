/** Timers inside operations stand for latencies where these race on something, but for the yields of the code under test. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MORE } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

/** A counter whose update is cut in two by `between`. */
const counter = (between: string): string => `const { stat } = require('node:fs/promises');
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
module.exports = class Counter {
  count = 0;
  async add() {
    const before = this.count;
    await ${between};
    this.count = before + 1;
  }
};
`;

const TEST = `const assert = require('node:assert/strict');
const test = require('node:test');
const Counter = require('./counter.cjs');
const job = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
test('two are added', async () => {
  const counter = new Counter();
  await Promise.all([job(60).then(() => counter.add()), OTHER]);
  assert.equal(counter.count, 2);
});
`;

/** Of two that stand on one side of the line one is enough. */
const isAlike = (between: string): boolean => between === 'after(0)';
const NOW = 'counter.add()';
const LATER = 'job(58).then(() => counter.add())';
/** What cuts it, and how the other one begins. */
const BETWEEN: readonly (readonly [string, string, 'race' | 'timing'])[] = [
  ['after(0)', NOW, 'timing'],
  ['after(1)', NOW, 'timing'],
  ['after(1)', LATER, 'race'],
  ['after(5)', NOW, 'race'],
  ["stat('.')", NOW, 'race'],
];

for (const [between, other, expected] of BETWEEN)
  test(
    `a job of 60 ms of the test overtakes ${between} in ${other}: ${expected}`,
    isAlike(between) ? MORE : {},
    async (t) => {
      const cwd = project(t, {
        'a.test.cjs': TEST.replace('OTHER', other),
        'counter.cjs': counter(between),
      });
      const options = ['--max-schedules', '12', '--confirm', '1', '--json', 'out.json'];
      await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.cjs']);
      assert.deepEqual(
        readReport(cwd).bugs.map((bug) => bug.class),
        [expected],
      );
    },
  );

const OWN_TASK = `(ms) => {
    started.push(ms);
    return new Promise((resolve) => setTimeout(() => resolve((last = ms)), ms));
  }`;
const HELPER = `exports.task = (ms) => new Promise((resolve) => setTimeout(() => resolve(ms), ms));`;
const OF_HELPER = `require('./test/helper.cjs').task`;

const stoodFor = (task: string, assertion: string): string => `const assert = require('node:assert/strict');
const test = require('node:test');
test('the first of two', async () => {
  const started = [];
  let last;
  const task = ${task};
  const slow = task(50);
  await task(10);
  const both = [slow, task(30)];
  ${assertion}
});
`;

const FIRST = 'assert.equal(await Promise.race(both), 30);';
const LAST = 'await Promise.all(both); assert.equal(last, 50);';
const TASKS: readonly (readonly [string, string, string, 'race' | 'timing'])[] = [
  ['of the test, of which the first one counts', OWN_TASK, FIRST, 'timing'],
  ['of a helper, of which the first one counts', OF_HELPER, FIRST, 'timing'],
  ['of the test, of which the last one writes', OWN_TASK, LAST, 'race'],
];

for (const [what, task, assertion, expected] of TASKS)
  test(`two calls of a stand-in ${what}: ${expected}`, async (t) => {
    const cwd = project(t, { 'a.test.cjs': stoodFor(task, assertion), 'test/helper.cjs': HELPER });
    const options = ['--max-schedules', '12', '--confirm', '1', '--json', 'out.json'];
    await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.cjs']);
    assert.deepEqual(
      readReport(cwd).bugs.map((bug) => bug.class),
      [expected],
    );
  });
