/** `unweave export`: a test that fails while a bug is there and passes when it is gone, in every runner. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { exportedTest, type ModuleStyle } from '../../../cli/project/exported-test.ts';
import { type RunnerName, runnerRow } from '../../../data/runners.ts';
import { project, readReport, run } from '../batch/command.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const MODULES = join(ROOT, 'node_modules');

const ACCOUNT = (deposit: string) => `
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
const audit = (n) => appendFile(\`\${tmpdir()}/audit-\${n}.log\`, 'x');
export class Account {
  balance = 0;
  async deposit(n) { ${deposit} }
}
`;
const RACY = ACCOUNT('const before = this.balance; await audit(n); this.balance = before + n;');
const REPAIRED = ACCOUNT('await audit(n); this.balance += n;');
/** The same requests, asked for by other functions. */
const within = (step: string): string => `
    const step = async () => { ${step} };
    const turn = Account.last.then(step);
    Account.last = turn.catch(() => {});
    return turn;
  }
  static last = Promise.resolve();
  static of(n) {`;
const LOCKED = ACCOUNT(within('const before = this.balance; await audit(n); this.balance = before + n;'));
const BACK = ACCOUNT(
  'const step = async () => { const before = this.balance; await audit(n); this.balance = before + n; }; await step();',
);
/** Nothing of the order is left. */
const OTHER = ACCOUNT('this.balance += n; await null;');
const WRONG = ACCOUNT('await audit(n); this.balance += 2 * n;');

const TEST = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Account } from './account.js';
test('two deposits', async () => {
  const account = new Account();
  const late = account.deposit(10);
  await Promise.all([late, sleep(10).then(() => account.deposit(20))]);
  assert.equal(account.balance, 30);
});
`;

function inProject(cwd: string, command: string, ...args: string[]): { code: number | null; said: string } {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1' };
  for (const name of ['NODE_TEST_CONTEXT', 'NODE_OPTIONS']) delete env[name];
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
    cwd,
    env,
    encoding: 'utf8',
  });
  return { code: status, said: stdout + stderr };
}

/** Where each runner is, and the test files that it is given. */
const RUNNERS: readonly (readonly [RunnerName, string, readonly string[], readonly ModuleStyle[]])[] = [
  ['mocha', 'mocha/bin/mocha.js', ['--spec', 'kept-*.mocha.*'], ['module', 'commonjs']],
  ['vitest', 'vitest/vitest.mjs', ['run', 'kept-module.vitest.test.js'], ['module']],
  ['jest', 'jest/bin/jest.js', ['--testMatch', '**/kept-*.jest.*'], ['commonjs']],
];

test('an exported test fails while the bug is there, passes when it is gone, and says when it says nothing', async (t) => {
  const cwd = project(t, { 'account.js': RACY, 'bank.test.js': TEST });
  mkdirSync(join(cwd, 'node_modules'));
  for (const name of readdirSync(MODULES)) symlinkSync(join(MODULES, name), join(cwd, 'node_modules', name));
  symlinkSync(ROOT, join(cwd, 'node_modules/unweave'));
  const how = ['--max-schedules', '4', '--confirm', '1', '--json', 'out.json'];
  await run(cwd, ['run', ...how, '--', process.execPath, '--test', 'bank.test.js']);
  const [bug] = readReport(cwd).bugs;
  assert.ok(bug);
  const exported = await run(cwd, ['export', bug.id]);
  const file = `bank-${bug.id}.test.js`;
  const order = `bank-${bug.id}.order.json`;
  assert.equal(exported.out, `${file} written\n${order} written\n`);
  assert.equal((await run(cwd, ['export', bug.id])).code, 2, 'nothing is overwritten');
  const text = readFileSync(join(cwd, order), 'utf8');
  assert.ok(!text.includes(cwd), 'it holds on another machine');
  const elsewhere = await run(project(t), ['export', bug.id, '--store', join(cwd, '.unweave/trace.db')]);
  assert.equal(elsewhere.code, 2);
  assert.match(elsewhere.err, /bank\.test\.js is not a file of this project: export it in the folder where/);

  const asUser = () => inProject(cwd, '--test', file);
  const racy = asUser();
  assert.equal(racy.code, 1, racy.said);
  assert.match(racy.said, /the test fails in this order: AssertionError: .*[12]0 !== 30/s);

  for (const [runner, bin, args, styles] of RUNNERS) {
    for (const style of styles) {
      const end = style === 'commonjs' ? 'cjs' : 'js';
      const name = runner === 'mocha' ? `kept-${style}.mocha.${end}` : `kept-${style}.${runner}.test.${end}`;
      writeFileSync(
        join(cwd, name),
        exportedTest({ runner: runnerRow(runner), style, title: `kept by ${style}`, order }),
      );
    }
    const { code, said } = inProject(cwd, join(MODULES, bin), ...args);
    assert.notEqual(code, 0, said);
    assert.ok((said.match(/the test fails in this order/g) ?? []).length >= styles.length, said);
  }

  writeFileSync(join(cwd, 'account.js'), REPAIRED);
  const repaired = asUser();
  assert.equal(repaired.code, 0, repaired.said);
  assert.doesNotMatch(repaired.said, /no longer applies/);
  writeFileSync(join(cwd, 'account.js'), LOCKED);
  const locked = asUser();
  assert.equal(locked.code, 0, locked.said);
  assert.doesNotMatch(locked.said, /no longer applies/, 'what was late is late there, too');
  writeFileSync(join(cwd, 'account.js'), BACK);
  const back = asUser();
  assert.equal(back.code, 1, 'the bug is back, under other names');
  assert.match(back.said, /the test fails in this order: AssertionError: .*[12]0 !== 30/s);
  writeFileSync(join(cwd, 'account.js'), OTHER);
  const other = asUser();
  assert.equal(other.code, 0, other.said);
  assert.match(other.said, /the order no longer applies: step 1 wanted .*; export it anew/);
  writeFileSync(join(cwd, 'account.js'), WRONG);
  const wrong = await run(cwd, ['replay', order]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.out.replace(/\s+/g, ' '), /does not pass in its natural order either/);
});

test('the order of a bug in a published package fails there and passes in the version that is fixed', async (t) => {
  const cwd = project(t);
  const store = ['--store', join(cwd, 'trace.db')];
  // Node 26 takes other steps: the fourth schedule and on.
  const how = ['--max-schedules', '20', '--confirm', '1', '--json', join(cwd, 'out.json')];
  await run(ROOT, ['run', ...how, ...store, 'harnesses/packages/node-json-db.ts']);
  const [bug] = readReport(cwd).bugs;
  assert.ok(bug);
  await run(ROOT, ['export', bug.id, ...store, '--out', join(cwd, 'kept.test.ts')]);
  const order = join(cwd, 'kept.order.json');
  assert.equal((await run(ROOT, ['replay', order])).code, 1);
  const text = readFileSync(order, 'utf8');
  writeFileSync(order, text.replace('"node-json-db@2.1.1"', '"node-json-db@2.1.2"'));
  const { code, out } = await run(ROOT, ['replay', order]);
  assert.equal(code, 0, out);
});
