/** Sleeps that a helper file has for the tests: what a promise calls back behind one is the test's own, or acts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { project, readReport, run } from '../batch/command.ts';

const HELPER = `exports.wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`;
const STORE = `const { stat } = require('node:fs/promises');
const turn = () => new Promise((resolve) => setTimeout(resolve, 1));
module.exports = class Store {
  counts = [0, 0];
  total = 0;
  async schedule(task) {
    this.counts[0]++;
    await turn();
    await turn();
    this.counts[0]--;
    this.counts[1]++;
    const answer = await task();
    this.counts[1]--;
    return answer;
  }
  look() {
    return [...this.counts];
  }
  sum() {
    return this.counts.reduce((all, count, i) => ({ ...all, [i]: count }), {});
  }
  async add(n) {
    const before = this.total;
    await stat('.');
    this.total = before + n;
  }
};
`;
const TEST = `const assert = require('node:assert/strict');
const test = require('node:test');
const Store = require('./store.cjs');
const { wait } = require('./helper.cjs');
test('looks, and then calls', () => {
  const store = new Store();
  store.schedule(() => 1);
  return wait(50).then(() => {
    assert.deepEqual(store.counts, [0, 0]);
    return store.schedule(() => 1);
  });
});
test('looks by a call, and then calls', () => {
  const store = new Store();
  store.schedule(() => 1);
  return wait(50).then(() => {
    assert.deepEqual(store.look(), [0, 0]);
    return store.schedule(() => 1);
  });
});
test('looks at what is made anew, and then calls', () => {
  const store = new Store();
  store.schedule(() => 1);
  assert.deepEqual(store.sum(), { 0: 1, 1: 0 });
  return wait(50).then(() => {
    assert.deepEqual(store.sum(), { 0: 0, 1: 0 });
    return store.schedule(() => assert.deepEqual(store.sum(), { 0: 0, 1: 1 }));
  });
});
test('calls', async () => {
  const store = new Store();
  await Promise.all([store.add(1), wait(10).then(() => store.add(2))]);
  assert.equal(store.total, 3);
});
`;

test('what a promise calls back behind a sleep of the test only looks, or acts', async (t) => {
  const cwd = project(t, { 'a.test.cjs': TEST, 'store.cjs': STORE, 'helper.cjs': HELPER });
  const options = ['--max-schedules', '12', '--confirm', '1', '--json', 'out.json'];
  const { code } = await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.cjs']);
  const classes = readReport(cwd).bugs.map((bug) => [bug.test.replace(/^.*:/, ''), bug.class]);
  assert.deepEqual(classes.sort(), [
    ['calls', 'race'],
    ['looks at what is made anew, and then calls', 'timing'],
    ['looks by a call, and then calls', 'timing'],
    ['looks, and then calls', 'timing'],
  ]);
  assert.equal(code, 1);
});
