/** `--changed`: what holds of an earlier run is kept, what may not is found out again. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PREDICTION_ENDED } from '../../../cli/stages/predict.ts';
import { openStore } from '../../../data/store/index.ts';
import { assertOneLine, project, run } from '../batch/command.ts';

/** A balance that two tasks change, of which one reads before it waits where `racy`. */
const account = (racy: boolean): string => `
import { stat } from 'node:fs/promises';
export class Account {
  balance = 0;
  async deposit(amount) {
    ${racy ? 'const before = this.balance; await stat("."); this.balance = before + amount;' : 'await stat("."); this.balance += amount;'}
  }
}
`;
const testOf = (name: string): string => `
import assert from 'node:assert/strict';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Account } from './${name}.js';
test('${name}', async () => {
  const account = new Account();
  await Promise.all([account.deposit(1), sleep(20).then(() => account.deposit(2))]);
  assert.equal(account.balance, 3);
});
`;

function repository(t: TestContext): string {
  const cwd = project(t, {
    'a.js': account(true),
    'b.js': account(true),
    'a.test.js': testOf('a'),
    'b.test.js': testOf('b'),
    '.gitignore': '.unweave\n',
  });
  git(cwd, 'init', '-q');
  git(cwd, 'add', '.');
  git(cwd, '-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '-qm', 'first');
  return cwd;
}
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd });

/** With a report in the repository, which is another in each run and concerns no test. */
const RUN = ['run', '--confirm', '1', '--json', './report.json'];
const COMMAND = ['--', 'node', '--test'];
const again = (cwd: string, ...how: string[]) => run(cwd, [...RUN, ...how, ...COMMAND]);
const KEPT = /kept from earlier runs, as nothing they depend on has changed: (\d+) of 2/;

test('a mended bug is told as fixed, the other test is kept with its bug', async (t) => {
  const cwd = repository(t);
  const first = await again(cwd, '--changed');
  assert.equal(first.code, 1, first.out + first.err);
  assert.match(first.out, /2 bugs in 2 of 2 tests/);
  assert.doesNotMatch(first.out, KEPT);

  writeFileSync(join(cwd, 'a.js'), account(false));
  const second = await again(cwd, '--changed');
  assert.equal(second.code, 1);
  assert.match(second.out, /1 bug in 1 of 2 tests/);
  assert.equal(KEPT.exec(second.out)?.[1], '1');
  assert.match(second.out, /known bug \w+ \(a\.test\.js › a\): fixed/);
  assert.match(second.out, /✗ lost update[\s\S]*b\.test\.js › b/);

  // Nobody is known to load it: whoever reads it may depend on it.
  writeFileSync(join(cwd, 'data.json'), '{}');
  const third = await again(cwd, '--changed');
  assert.doesNotMatch(third.out, KEPT);
  assert.match(third.out, /known bug \w+ \(b\.test\.js › b\): still there/);
});

/** More orders than anybody executes, and none fails. */
const MANY = `
import test from 'node:test';
import { stat } from 'node:fs/promises';
let done = 0;
const step = async () => { const before = done; await stat('.'); if (done >= before) done += 1; };
test('many', () => Promise.all([step(), step(), step(), step(), step(), step()]));
`;

test('a test of which not all was predicted goes on from there, and that stays said', async (t) => {
  const cwd = repository(t);
  writeFileSync(join(cwd, 'many.test.js'), MANY);
  const command = [...RUN, '--changed', '--', 'node', '--test', 'many.test.js'];
  assert.match((await run(cwd, command)).out, /✓ many\.test\.js › many/);
  const store = openStore(join(cwd, '.unweave/trace.db'), { cwd });
  for (const { id } of store.tests()) store.updateTest(id, { note: PREDICTION_ENDED });
  store.close();
  const { out } = await run(cwd, command);
  assert.match(out, /◐ many\.test\.js › many — PARTLY ANALYSED/);
  assert.match(out, /budget ended \(prediction\): some of the search was left/);
});

test('with a commit, only tests that load what has changed since are forced', async (t) => {
  const cwd = repository(t);
  writeFileSync(join(cwd, 'a.js'), `${account(true)}\n// touched\n`);
  const { code, out } = await again(cwd, '--changed', 'HEAD');
  assert.equal(code, 1, out);
  assert.match(out, /1 bug in 1 of 2 tests/);
  assert.match(out, /recorded and not forced, as nothing they load has changed: 1 of 2/);
});

test('a commit that git does not know, and a folder without git, are told before anything runs', async (t) => {
  assertOneLine(await again(repository(t), '--changed', 'nowhere'), 2, /git knows no such commit/);
  assertOneLine(await again(project(t), '--changed'), 2, /--changed needs a git repository/);
});
