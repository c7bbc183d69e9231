/** Suites of Jest as their users start them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type CaseSubject, recordCommand } from '../../../rescheduler/subjects/node-test.ts';
import { compiled, inline } from '../../monitor/loader/compile.ts';
import { options, project } from '../../rescheduler/subjects/projects.ts';
import { readReport, run } from '../batch/command.ts';
import { lastWins } from './last-wins.ts';

const MODULES =
  process.env['UNWEAVE_JEST_MODULES'] ?? fileURLToPath(new URL('../../../node_modules', import.meta.url));
const JEST = [process.execPath, join(MODULES, 'jest/bin/jest.js')];

/** A project that has Jest installed. */
function installed(files: Readonly<Record<string, string>>): string {
  const cwd = project({
    'package.json': '{ "private": true, "scripts": { "test": "jest" } }',
    'jest.config.js': 'module.exports = {};',
    ...files,
  });
  symlinkSync(MODULES, join(cwd, 'node_modules'));
  return cwd;
}

/** Its types are lines that are not in what is compiled. */
const ACCOUNT = `
const { setTimeout: sleep } = require('node:timers/promises');

interface Unused {
  readonly a: 1;
}

class Account {
  private balance: number;
  constructor(balance: number) { this.balance = balance; }
  get value(): number { return this.balance; }
  async withdraw(amount: number): Promise<void> {
    if (amount > 50) await sleep(15);
    const before: number = this.balance; await sleep(2); this.balance = before - amount;
  }
}
module.exports = { Account };`;
const TESTS = `
const { Account } = require('@/account');

it('keeps both withdrawals', async () => {
  const account: { value: number; withdraw(amount: number): Promise<void> } = new Account(100);
  await Promise.all([account.withdraw(60), account.withdraw(10)]);
  expect(account.value).toBe(30);
});`;
const built = compiled(ACCOUNT);
/** The test is TypeScript, what it tests is compiled. */
const racy = {
  'jest.config.js':
    "module.exports = { transform: {}, moduleNameMapper: { '^@/(.*)': '<rootDir>/dist/$1' } };",
  'src/account.ts': ACCOUNT,
  'dist/account.js': built.code + inline({ ...built.map, sources: ['../src/account.ts'] }),
  'src/account.test.ts': TESTS,
};

const EVERYDAY = `
const part = require('./part');
jest.mock('./part', () => ({ answer: async () => 42 }));
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
let hooks = 0;
describe('outer', () => {
  beforeEach(async () => { await sleep(1); hooks += 1; });
  it.each([1, 2])('row %i', async (n) => { await sleep(n); expect(hooks).toBeGreaterThan(0); });
  it('of one name', async () => { await sleep(1); });
  it('of one name', () => {});
});
test.concurrent('first', async () => { await sleep(3); expect(1).toBe(1); });
test.concurrent('second', async () => { await sleep(2); expect(1).toBe(1); });
test('fake timers', async () => {
  jest.useFakeTimers();
  let done = false;
  setTimeout(() => { done = true; }, 60_000);
  await jest.advanceTimersByTimeAsync(60_000);
  jest.useRealTimers();
  expect(done).toBe(true);
});
test('one clock', async () => {
  const [began, ticks] = [new Date(), process.hrtime.bigint()];
  await sleep(2000);
  expect(Date.now() - began).toBeGreaterThanOrEqual(2000);
  expect(process.hrtime.bigint() - ticks).toBeGreaterThan(1_900_000_000n);
});
test('callback', (done) => { setTimeout(done, 3); });
test('mocks', async () => { expect(await part.answer()).toBe(42); });
test('handled in time', async () => {
  const rejected = Promise.reject(new Error('late'));
  await sleep(2);
  await expect(rejected).rejects.toThrow('late');
  await sleep(2);
});
test('counts', async () => { expect.assertions(1); await sleep(1); expect(1).toBe(1); });
test('says', () => { console.log('said'); });
let attempts = 0;
describe('again', () => {
  jest.retryTimes(2);
  test('at the second attempt', () => { expect(attempts++ % 2).toBe(1); });
});
test('inline', () => { expect({ a: 1 }).toMatchInlineSnapshot('\\n{\\n  "a": 1,\\n}\\n'); });
test('of its process', () => { expect(process.env.NODE_OPTIONS).toBeUndefined(); });
test.failing('is to fail', () => { expect(1).toBe(2); });
test.skip('left out', () => {});
test.todo('not written yet');`;
const PART = { 'part.js': 'exports.answer = async () => 1;' };

const NAMES = [
  ...['outer > row 1', 'outer > row 2', 'outer > of one name', 'outer > of one name (2)'],
  ...['first', 'second', 'fake timers', 'one clock', 'callback', 'mocks', 'handled in time', 'counts'],
  ...['says', 'again > at the second attempt', 'inline', 'of its process'],
];

/** What is the same in each run of a suite. */
const lasting = (text: string): string[] =>
  text
    .replace(/ \(\d+(?:\.\d+)? m?s\)|\d+(?:\.\d+)? m?s\b|rejection id: \d+|node:\d+/g, '')
    .split('\n')
    .filter((line) => !/^Time:|recording|npm|estimated/.test(line) && line.trim() !== '');

const plainly = (cwd: string, command: readonly string[]) =>
  spawnSync(command[0]!, command.slice(1), {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', NODE_TEST_CONTEXT: undefined, NODE_OPTIONS: undefined },
  });

test('each test that runs is a case, and runs again alone', async () => {
  const cwd = installed({ ...PART, 'everyday.test.js': EVERYDAY });
  const found = await recordCommand(JEST, { cwd });
  assert.deepEqual(
    found.map(({ id }) => id),
    NAMES.map((name) => `everyday.test.js:${name}`),
  );
  for (const subject of found) {
    const { result } = await subject.record(options());
    assert.equal(result.outcome, 'pass', `${subject.id}: ${result.failure?.message}`);
  }
  // The rows and those of one name are told apart by what they do.
  for (const at of [1, 3]) {
    const { outcome, steps } = await found[at]!.executeFresh({ kind: 'observed' }, options());
    assert.deepEqual([outcome, steps.length], ['pass', at === 3 ? 0 : 1], found[at]!.id);
  }
});

test('the command is what it is plainly', async () => {
  const failing = `${EVERYDAY}
    test('fails', async () => { await sleep(1); expect(await part.answer()).toBe(1); });`;
  const cwd = installed({ ...PART, 'everyday.test.js': failing });
  const plain = plainly(cwd, JEST);
  assert.equal(plain.status, 1, plain.stdout + plain.stderr);
  const watched = await run(cwd, ['monitor', '--verbose', '--', ...JEST]);
  const shown = new Set(lasting(watched.out + watched.err));
  assert.deepEqual(
    lasting(plain.stdout + plain.stderr).filter((line) => !shown.has(line)),
    [],
  );
});

const json = ['--json', 'out.json', '--max-schedules', '2', '--confirm', '1'];

test('a race is found through an npm script, where it is', async () => {
  const cwd = installed(racy);
  const ended = await run(cwd, ['run', ...json, '--', 'npm', 'test']);
  assert.equal(ended.code, 1, ended.out + ended.err);
  const { bugs, tests } = readReport(cwd);
  assert.equal(tests.length, 1);
  assert.deepEqual([...new Set(bugs.map(({ entity }) => entity))], ['Account#balance']);
  assert.match(ended.out, /src\/account\.ts:14:28 in Account\.withdraw/);
  assert.match(ended.out, /called from src\/account\.test\.ts:6:/);
});

test('a snapshot that differs is told in its words', async () => {
  const check = `expect(last).toMatchInlineSnapshot('"two"');`;
  const cwd = installed({ 'a.test.js': lastWins(check) });
  const { code, out } = await run(cwd, ['run', ...json, '--', ...JEST]);
  assert.equal(code, 1, out);
  assert.match(out, /The test says\s+Error: expect\(received\)\.toMatchInlineSnapshot[\s\S]*Received: "one"/);
});

test('forced runs share a process, also those of a case that goes otherwise alone', async () => {
  const cwd = installed({
    'jest.config.js': `module.exports = { globalSetup: './starts.js', setupFiles: ['./set-up.js'] };`,
    'starts.js': `module.exports = async () => require('node:fs').appendFileSync('starts', '.');`,
    'set-up.js': `require('./late.js').more();`,
    'late.js': 'let count = 0; exports.more = () => ++count;',
    'x.test.js': `const { more } = require('./late.js');
      const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
      let before = 0;
      it('alone', async () => {
        let balance = 0;
        const add = async (ms) => { await sleep(ms); const seen = balance; await sleep(2); balance = seen + 1; };
        await Promise.all([add(1), add(10)]);
        expect([balance, more(), ++before]).toEqual([2, 2, 1]);
      });
      it('behind', async () => { if (before > 0) await sleep(1); await sleep(1); });`,
  });
  const starts = () => readFileSync(join(cwd, 'starts'), 'utf8').length;
  const [alone, behind] = (await recordCommand(JEST, { cwd })) as CaseSubject[];
  const outcomes = new Set<string>();
  for (let seed = 0; seed < 40; seed++)
    outcomes.add((await alone!.execute({ kind: 'random', seed }, options())).outcome);
  assert.deepEqual([...outcomes].sort(), ['fail', 'pass']);
  // That of the recording, and one more.
  assert.deepEqual([starts(), alone!.unfit], [2, null]);
  const { outcome } = await behind!.execute({ kind: 'observed' }, options());
  assert.deepEqual([outcome, behind!.unfit], ['pass', null]);
  await Promise.all([alone!.close(), behind!.close()]);
});

test('cases of projects are told apart, whatever their environments and transforms', async () => {
  const cwd = installed({
    'jest.config.js': `module.exports = { projects: [
      { displayName: 'one', testMatch: ['<rootDir>/a/*.test.js'] },
      { testMatch: ['<rootDir>/a/*.test.js'], setupFiles: ['./setup.js'], transform: {} },
      '<rootDir>/packages/*',
    ] };`,
    'setup.js': 'globalThis.two = true;',
    'environment.js': `const { TestEnvironment } = require('jest-environment-node');
      module.exports = class extends TestEnvironment {
        async setup() { await super.setup(); this.global.own = true; }
        handleTestEvent({ name }) { if (name === 'run_start') this.global.heard = true; }
      };`,
    'upper.js': `module.exports = { process: (text) => ({ code: text.replaceAll('SLEEP', 'sleep') }) };`,
    'a/x.test.js': `it('x', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (globalThis.two) await new Promise((resolve) => setTimeout(resolve, 1));
    });`,
    'packages/b/jest.config.js': `module.exports = { displayName: 'bee', transform: { '.*': '../../upper.js' } };`,
    'packages/b/y.test.js': `/** @jest-environment ../../environment.js */
      const { setTimeout: sleep } = require('node:timers/promises');
      it('y', async () => { await SLEEP(1); expect([own, heard]).toEqual([true, true]); });`,
  });
  const found = await recordCommand([...JEST, '--maxWorkers=2'], { cwd });
  assert.deepEqual(found.map(({ id }) => id).sort(), [
    'a/x.test.js:|2| > x',
    'a/x.test.js:|one| > x',
    'packages/b/y.test.js:|bee| > y',
  ]);
  const second = found.find(({ name }) => name === '|2| > x')!;
  const { outcome, steps } = await second.executeFresh({ kind: 'observed' }, options());
  assert.deepEqual([outcome, steps.length], ['pass', 2]);
});

test('a callback that a later test calls again is over, unless it is told of an error', async () => {
  const tests = (reason: string) => `
    let again;
    it('x', (done) => { again = done; done(); });
    it('y', async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      again(${reason});
      await new Promise((resolve) => setTimeout(resolve, 1));
    });`;
  const cwd = installed({ 'a.test.js': tests(''), 'b.test.js': tests("new Error('late')") });
  const found = await recordCommand([...JEST, '-i'], { cwd });
  const told = await Promise.all(
    found.map(async (subject) => [
      subject.id,
      await subject.record(options()).then(
        ({ result }) => result.failure?.message ?? result.outcome,
        (error: Error) => error.message,
      ),
    ]),
  );
  const late = 'Caught error after test environment was torn down';
  assert.deepEqual(Object.fromEntries(told), {
    'a.test.js:x': 'pass',
    'a.test.js:y': 'pass',
    'b.test.js:x': 'pass',
    'b.test.js:y': `${late}\n\nlate`,
    'b.test.js:b.test.js': `it fails outside of its test cases: ${late}`,
  });
});

const WORD = 'new Int32Array(new SharedArrayBuffer(4))';

test('what fails plainly fails', async () => {
  const rows: [name: string, text: string, why: RegExp][] = [
    ['thrown', `it('x', async () => { throw new Error('thrown'); });`, /thrown/],
    ['counted', `it('x', () => { expect.assertions(1); });`, /fails outside .*assertion/],
    ['returned', `it('x', () => 1);`, /can only return Promise/],
    ['twice', `it('x', (done) => { done(); done(); });`, /called multiple times/],
    ['unhandled', `it('x', async () => { Promise.reject(new Error('alone')); await sleep(1); });`, /alone/],
    [
      'each',
      `it('x', () => {}); beforeEach(() => { throw new Error('hook'); });`,
      /'x' fails outside .*hook/,
    ],
    ['all', `it('x', () => {}); afterAll(() => { throw new Error('after'); });`, /it fails outside .*after/],
    // The interval by which Jest tells how long it takes brings nothing.
    [
      'stuck',
      `Atomics.wait(${WORD}, 0, 0, 1200); it('x', () => new Promise(() => {}), 200);`,
      /nothing is left/,
    ],
    ['load', `it('x', () => {}); throw new Error('load');`, /it does not load: load/],
  ];
  const files = rows.map(([name, text]) => [
    `${name}.test.js`,
    `const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms)); ${text}`,
  ]);
  const cwd = installed(Object.fromEntries(files));
  const found = await recordCommand([...JEST, '-i'], { cwd });
  for (const [name, text, why] of rows) {
    const told = await Promise.all(
      found
        .filter(({ file }) => file === `${name}.test.js`)
        .map((subject) =>
          subject.record(options()).then(
            ({ result }) => result.failure?.message ?? '',
            (error: Error) => error.message,
          ),
        ),
    );
    assert.match(told.join('\n'), why, text);
  }
});
