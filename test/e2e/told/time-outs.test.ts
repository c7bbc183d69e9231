/** A time-out that the test gives and that the error tells of: whatever else changed places, what was waited for took too long. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

const COLLECT = `export function collect(jobs, ms, done) {
  const answers = [];
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    done(new Error('operation has timed out'), answers);
  }, ms);
  const check = () => {
    if (isOver || answers.length < jobs.length) return;
    clearTimeout(timer);
    done(null, answers);
  };
  check();
  for (const job of jobs) job().then((answer) => { answers.push(answer); check(); });
}
`;
/** The answers naturally take a part of the time that the test gives: less than 50 ms are left. */
const TESTS = `import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { collect } from './collect.js';
const job = async () => {
  await new Promise((done) => setTimeout(done, 8));
  return (await stat('package.json')).isFile();
};
test('three answers', (t, done) => {
  collect([job, job, job], 50, (error, answers) => {
    if (error !== null) return done(new Error('expected ' + error + ' to equal null'));
    done(answers.length === 3 ? undefined : new Error('too few'));
  });
});
`;

test('is no race', async (t) => {
  const cwd = project(t, { 'a.test.js': TESTS, 'collect.js': COLLECT });
  const { code, out } = await run(cwd, [
    ...['run', ...FEW_ORDERS, '--json', 'out.json', '--', process.execPath, '--test', 'a.test.js'],
  ]);
  assert.deepEqual([...new Set(readReport(cwd).bugs.map((bug) => bug.class))], ['timing'], out);
  assert.equal(code, 0);
});

/** `give up` is what becomes of one who has waited too long. */
const lockThat = (giveUp: string): string => `export class Lock {
  queue = [];
  isTaken = false;
  take(then, ms) {
    if (!this.isTaken) {
      this.isTaken = true;
      return then(() => this.release());
    }
    const waiter = { then };
    this.queue.push(waiter);
    if (ms) waiter.timer = setTimeout(() => { waiter.isOver = true; ${giveUp} then(null); }, ms);
  }
  release() {
    this.isTaken = false;
    const next = this.queue.shift();
    if (!next || next.isOver) return;
    clearTimeout(next.timer);
    this.take(next.then);
  }
}
`;
const LOCKS = `import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Lock } from './lock.js';
const job = (lock, ms) => new Promise((done, fails) => lock.take((release) => {
  if (!release) return done('gave up');
  readFile('package.json').then(() => { release(); done('done'); }, fails);
}, ms));
test('three jobs', async () => {
  const lock = new Lock();
  const two = [job(lock), job(lock, 100)];
  await sleep(150);
  await Promise.all([...two, job(lock)]);
});
`;
/** Who hears of the time-out still waits for what it has ended. */
const WAITS = `import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Lock } from './lock.js';
test('two jobs', async () => {
  const lock = new Lock();
  lock.take((release) => readFile('package.json').then(release));
  await new Promise((done) => lock.take((release) => release && done(), 100));
});
`;
const MENDED = 'this.queue.splice(this.queue.indexOf(waiter), 1);';
const LOCK_TESTS: readonly (readonly [string, string, string, readonly string[]])[] = [
  ['who has given up stays in the queue: a race', LOCKS, lockThat(''), ['race']],
  ['who has given up leaves it', LOCKS, lockThat(MENDED), []],
  ['what has given up is waited for: no race', WAITS, lockThat(MENDED), ['timing']],
];
for (const [name, tests, lock, classes] of LOCK_TESTS)
  test(name, async (t) => {
    const cwd = project(t, { 'a.test.js': tests, 'lock.js': lock });
    const { out } = await run(cwd, [
      ...['run', ...FEW_ORDERS, '--json', 'out.json', '--', process.execPath, '--test', 'a.test.js'],
    ]);
    assert.deepEqual([...new Set(readReport(cwd).bugs.map((bug) => bug.class))], classes, out);
  });
