/** `unweave explain`: one test that somebody knows to be flaky. */
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { WHOLE } from '../../extent.ts';
import { project, readReport, run } from '../batch/command.ts';

const MODULES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

const BANK = `import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
class Account {
  balance = 0;
  async deposit(amount) { const before = this.balance; await stat('package.json'); this.balance = before + amount; }
}
export const twoDeposits = async () => {
  const account = new Account();
  await Promise.all([account.deposit(50), sleep(300).then(() => account.deposit(50))]);
  assert.equal(account.balance, 100);
};
/** Passes where the second look comes last, as it seldom does. */
export const lookedLate = async () => {
  let seen = '';
  await Promise.all([stat('package.json').then(() => (seen = 'first')), stat('.').then(() => (seen += 'second'))]);
  assert.equal(seen, 'first');
};
export const inTurns = async () => {
  const account = new Account();
  await Promise.all([stat('.'), account.deposit(1)]);
  assert.equal(account.balance, 1);
};
/** What no order decides: every second run fails. */
export const byChance = async () => {
  appendFileSync('runs', 'x');
  await Promise.all([stat('.'), stat('.')]);
  assert.ok(readFileSync('runs').length % 2 === 1);
};
`;

const NODE_TEST = `import { describe, test } from 'node:test';
import * as bank from './bank.js';
describe('bank', () => {
  test('two deposits', bank.twoDeposits);
  test('looked late', bank.lookedLate);
  test('in turns', bank.inTurns);
});
`;

const MOCHA = `import * as bank from './bank.js';
describe('bank', () => {
  it('two deposits', bank.twoDeposits);
  it('in turns', bank.inTurns);
});
`;

const files = {
  'package.json': JSON.stringify({ type: 'module', private: true, scripts: { test: 'node --test' } }),
  'bank.js': BANK,
  'bank.test.js': NODE_TEST,
  'bank.spec.js': MOCHA,
};

const QUICK = ['--confirm', '1', '--times', '2'];

test('one test is picked out, and what decides is told first', async (t) => {
  const cwd = project(t, files);
  symlinkSync(MODULES, join(cwd, 'node_modules'));
  const explain = (...args: string[]) => run(cwd, ['explain', ...QUICK, ...args]);

  const race = await explain('bank.test.js', 'two deposits', '--json', 'out.json');
  assert.equal(race.code, 1, race.err);
  assert.match(
    race.out,
    /^✗ bank\.test\.js › bank > two deposits\n {2}fails when ② `Account\.deposit #?\d?` writes `Account#balance`\s\(bank\.js:7\)/,
  );
  for (const line of [
    /Defect {6}lost update: two runs of|Defect {6}lost update: `Account/,
    /Error {7}AssertionError: Expected values to be strictly equal: 50 !== 100/,
    /Orders {6}\d+ of \d+ orders tried fail, \d+ pass/,
    /Natural {5}the natural order passes 1\/1/,
    /Plain Node {2}2 of 2 runs pass/,
    /When {8}.*300 ms|When {8}happens when/,
    /Fix {9}keep ① to ③ atomic/,
    /Replay {6}unweave replay b\w+ --store \.unweave\/explain\.db/,
  ])
    assert.match(race.out, line);
  const { tests, bugs } = readReport(cwd);
  assert.deepEqual(
    tests.map(({ name }) => name),
    ['bank > two deposits'],
  );
  const again = await run(cwd, bugs[0]!.replay.split(' ').slice(1));
  assert.equal(again.code, 1, again.err);

  if (WHOLE) {
    const mocha = await explain('two deposits', '--', 'npx', 'mocha', 'bank.spec.js');
    assert.equal(mocha.code, 1, mocha.err);
    assert.match(mocha.out, /^✗ bank\.spec\.js › bank > two deposits\n {2}fails when ② /);
  }

  const quiet = await explain('--test-name-pattern', 'in turns$');
  assert.equal(quiet.code, 0, quiet.out);
  assert.match(
    quiet.out,
    /^✓ bank\.test\.js › bank > in turns\n {2}no order fails: all \d+ feasible orders tried/,
  );
  assert.match(quiet.out, /Plain Node {6}2 of 2 runs pass/);
  assert.match(quiet.out, /Not controlled {2}nothing took part that is known not to be/);
});

const TURNED_ROUND =
  /fails when `test: fs\.stat package\.json answers` \(bank\.js:17\) comes before `test: fs\.stat \. answers` \(bank\.js:17\); passes the other way round \(1\/1\)/;

test('a test that fails in the natural order is brought to pass', async (t) => {
  const cwd = project(t, files);
  const { code, out } = await run(cwd, [
    'explain',
    ...QUICK,
    '--',
    'node',
    '--test',
    '--test-name-pattern',
    'looked late',
  ]);
  assert.equal(code, 1, out);
  assert.match(out.replace(/\s+/g, ' '), TURNED_ROUND);
  assert.match(out, /Natural {5}the natural order is the one that fails/);
  assert.match(out, /When {8}whenever nothing is late/);
});

test('what chance decides is no finding, however long it is searched', async (t) => {
  const text = NODE_TEST.replace("test('in turns', bank.inTurns)", "test('by chance', bank.byChance)");
  const cwd = project(t, { ...files, 'bank.test.js': text });
  const { code, out } = await run(cwd, ['explain', '--times', '1', 'by chance']);
  assert.equal(code, 3, out);
  assert.match(out, /^! bank\.test\.js › bank > by chance\n/);
  assert.match(out.replace(/\s+/g, ' '), /the order of answers is not what decides/);
  assert.match(out, /Not controlled {2}/);
});
