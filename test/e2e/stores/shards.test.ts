/** A plan that is done in shards and merged is the run that does it alone. */
import assert from 'node:assert/strict';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SHARD, shardResultSchema } from '../../../data/plan.ts';
import { openStore } from '../../../data/store/index.ts';
import { assertOneLine, project, readReport, run, start } from '../batch/command.ts';
import { COMMAND, FILES, HOW, verdictsIn, withoutTime } from './shared.ts';

test('shards, one of which is killed, merged: the report of one run', async (t) => {
  const cwd = project(t, FILES);
  const one = await run(cwd, ['run', '--json', 'out.json', ...HOW, 'one.db', ...COMMAND]);
  const whole = { ...readReport(cwd), timing: null };
  const plan = await run(cwd, ['plan', ...HOW, 'plan.db', ...COMMAND]);
  assert.equal(plan.code, 0, plan.err);
  assert.match(plan.out, /plan \w{16}: \d+ orders of 3 tests to force/);

  const shard = (n: number) => ['run', '--shard', `${n}/2`, ...HOW, `${n}.db`, ...COMMAND];
  for (const n of [1, 2]) copyFileSync(join(cwd, 'plan.db'), join(cwd, `${n}.db`));
  const { child, ended } = start(cwd, shard(1));
  while (child.exitCode === null && verdictsIn(join(cwd, '1.db')) === 0) await sleep(20);
  process.kill(-child.pid!, 'SIGKILL');
  await ended;
  const merge = (...how: string[]) =>
    run(cwd, ['merge', ...how, '--store', 'merged.db', '--json', 'out.json', '--html', 'out.html']);
  assertOneLine(await merge('1.db', '2.db'), 2, /1\.db: its shard was not run to its end/);
  for (const n of [1, 2]) {
    const { code, out, err } = await run(cwd, shard(n));
    assert.ok(code === 1 || code === 3, out + err);
  }
  assertOneLine(await merge('2.db'), 2, /shard 1 of 2 is missing; --partial goes without/);
  copyFileSync(join(cwd, '2.db'), join(cwd, 'less.db'));
  loseTest(join(cwd, 'less.db'));
  assertOneLine(
    await merge('1.db', 'less.db'),
    2,
    /less\.db: damaged: its tests are not those of shard 2\/2/,
  );
  assertOneLine(await merge('2.db', '2.db'), 2, /are both shard 2\/2/);
  const merged = await merge('1.db', '2.db');
  assert.deepEqual({ ...readReport(cwd), timing: null }, whole);
  assert.equal(merged.code, one.code);
  const page = readFileSync(join(cwd, 'out.html'), 'utf8');
  assert.match(page, /<h2 id="shared">/, 'what all shards have looked into');
  // Who was killed shows the order of a bug found before anew.
  assert.equal(withoutTime(merged.out), withoutTime(one.out));
  assert.match((await run(cwd, ['inspect', '--store', 'merged.db'])).out, /Account#balance/);
  assert.equal((await merge('2.db', '--partial')).code, 1);

  // Nothing that would find something else is run.
  const other = (...args: string[]) => run(cwd, ['run', '--shard', '1/2', ...args]);
  assertOneLine(await other(...HOW, '2.db', ...COMMAND), 2, /is that of shard 2\/2/);
  assertOneLine(await other(...HOW, '1.db', '--', 'node', '--test', 'a.test.js'), 2, /for another command/);
  assertOneLine(await other('--store', '1.db', ...COMMAND), 2, /planned with another maxSchedules/);
  assertOneLine(await other(...HOW, 'one.db', ...COMMAND), 2, /holds no plan/);
});

/** As if one of the tests that its shard was to do had never been there. */
function loseTest(path: string): void {
  using store = openStore(path);
  const { report, ...rest } = shardResultSchema.parse(store.noted(SHARD));
  store.note(SHARD, { ...rest, report: { ...report, tests: report.tests.slice(1) } });
}

/** Registered while there is no file of that name. */
const SOMETIMES = `
import { existsSync } from 'node:fs';
if (!existsSync('fewer')) test('sometimes', async () => {
  const account = new Account();
  await Promise.all([account.deposit(1), account.deposit(2)]);
});
`;

test('what was planned of other sources, or is not there any more, is never called clean', async (t) => {
  const cwd = project(t, { 'a.test.js': `${FILES['b.test.js']}${SOMETIMES}` });
  const plan = async () =>
    (await run(cwd, ['plan', ...HOW, 'plan.db', ...COMMAND])).out.match(/plan (\w{16}):/)?.[1];
  const first = await plan();
  assert.ok(first);
  // What changed between them may be nothing that was noted: results of one are not those of the other.
  assert.notEqual(await plan(), first);

  const shard = () => run(cwd, ['run', '--shard', '1/1', ...HOW, 'plan.db', ...COMMAND]);
  writeFileSync(join(cwd, 'fewer'), '');
  const fewer = await shard();
  assert.equal(fewer.code, 3, fewer.out);
  assert.match(fewer.out, /planned, and not found/);
  assert.equal((await run(cwd, ['merge', 'plan.db', '--store', 'merged.db'])).code, 3);

  appendFileSync(join(cwd, 'a.test.js'), '// another');
  assertOneLine(await shard(), 2, /planned for other sources: what a\.test\.js/);
});
