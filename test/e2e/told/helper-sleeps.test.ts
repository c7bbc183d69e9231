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

/** It keeps its timer, for who may have to clear it. */
const DELAY = `export const delay = (ms, signal = null) =>
  new Promise((resolve, reject) => {
    let timer = null;
    const stop = () => { clearTimeout(timer); reject(new Error('aborted')); };
    timer = setTimeout(() => {
      if (signal !== null) signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal !== null) signal.addEventListener('abort', stop, { once: true });
  });
`;
const DEBOUNCE = `export const debounce = (fn, ms) => {
  let timer = null;
  return (...args) => {
    if (timer !== null) clearTimeout(timer);
    timer = setTimeout(() => { timer = null; fn(...args); }, ms);
  };
};
`;
const ACCOUNT = `import { stat } from 'node:fs/promises';
import { delay } from './delay.js';
export class Account {
  balance = 100;
  async withdraw(amount) {
    await stat('.');
    const before = this.balance;
    await delay(5);
    this.balance = before - amount;
  }
}
`;
const KEEPS_TIMER = `import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from './account.js';
import { debounce } from './debounce.js';
import { delay } from './delay.js';
test('sleeps', async () => {
  const calls = [];
  const called = debounce((n) => calls.push(n), 40);
  called(1);
  await delay(20);
  called(2);
  await delay(20);
  assert.deepEqual(calls, []);
});
test('asks', async () => {
  const account = new Account();
  await Promise.all([account.withdraw(10), delay(3).then(() => delay(4)).then(() => account.withdraw(20))]);
  assert.equal(account.balance, 70);
});
`;

test('a sleep that keeps its timer is one, and the latency of an operation stays that', async (t) => {
  const files = { 'delay.js': DELAY, 'debounce.js': DEBOUNCE, 'account.js': ACCOUNT };
  const cwd = project(t, { 'a.test.js': KEEPS_TIMER, ...files });
  const options = ['--max-schedules', '12', '--confirm', '1', '--json', 'out.json'];
  await run(cwd, ['run', ...options, '--', process.execPath, '--test', 'a.test.js']);
  const classes = readReport(cwd).bugs.map((bug) => [bug.test.replace(/^.*:/, ''), bug.class]);
  assert.deepEqual(classes.sort(), [
    ['asks', 'race'],
    ['sleeps', 'timing'],
  ]);
});
