/** A plan that is done in shards and merged, or from a queue by workers, some of which are killed, is the run that does it alone. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { PLAN, planSchema, SHARD, shardResultSchema } from '../../../data/plan.ts';
import type { Report } from '../../../data/report.ts';
import { openStore } from '../../../data/store/index.ts';
import { assertOneLine, type Ended, project, readReport, run, start } from '../batch/command.ts';

/** A balance that two tasks change, of which one reads before it waits where `racy`. */
const testOf = (name: string, racy: boolean): string => `
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import test from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
class Account {
  balance = 0;
  async deposit(amount) {
    ${racy ? 'const before = this.balance; await stat("."); this.balance = before + amount;' : 'await stat("."); this.balance += amount;'}
  }
}
test('${name}', async () => {
  const account = new Account();
  await Promise.all([account.deposit(1), sleep(20).then(() => account.deposit(2))]);
  assert.equal(account.balance, 3);
});
test('${name} alone', () => new Account().deposit(1));
`;
const FILES = {
  'a.test.js': testOf('a', true),
  'b.test.js': testOf('b', false),
  'c.test.js': testOf('c', true),
  'red.test.js': `import test from 'node:test'; test('red', () => { throw new Error('it is'); });`,
};
const HOW = ['--confirm', '1', '--max-schedules', '3', '--store'];
const COMMAND = ['--', 'node', '--test'];

/** The report for people, without how long it took and which store was named. */
const alike = (out: string): string => out.replace(/ · [\d.]+ s$/m, '').replace(/ --store \w+\.db$/gm, '');

function verdictsIn(path: string): number {
  using store = openStore(path, { readonly: true });
  const all = store.tests().flatMap(({ id }) => store.schedules(id));
  return all.filter(({ verdict }) => verdict !== null).length;
}

/** Where the plan is, and what one run alone says. */
let cwd: string;
let one: Ended;
let whole: Report;
const removed: (() => void)[] = [];
const reported = (): Report => ({ ...readReport(cwd), timing: null as never });

before(async () => {
  cwd = project({ after: (fn) => removed.push(fn) }, FILES);
  one = await run(cwd, ['run', '--json', 'out.json', ...HOW, 'one.db', ...COMMAND]);
  whole = reported();
  const plan = await run(cwd, ['plan', ...HOW, 'plan.db', ...COMMAND]);
  assert.equal(plan.code, 0, plan.err);
  assert.match(plan.out, /plan \w{16}: \d+ orders of 3 tests to force/);
});
after(() => {
  for (const remove of removed) remove();
});

test('shards, one of which is killed, merged: the report of one run', async () => {
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
  assert.deepEqual(reported(), whole);
  assert.equal(merged.code, one.code);
  const page = readFileSync(join(cwd, 'out.html'), 'utf8');
  assert.match(page, /<h2 id="shared">/, 'what all shards have looked into');
  // Who was killed shows the order of a bug found before anew.
  assert.equal(alike(merged.out), alike(one.out));
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

const SKIP = spawnSync('redis-server', ['--version']).error ? 'there is no redis-server' : false;

/** A server of this test alone; answers with its URL. */
async function redis(t: TestContext): Promise<string> {
  const probe = net.createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as net.AddressInfo;
  probe.close();
  await once(probe, 'close');
  const server = spawn('redis-server', ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '']);
  t.after(() => server.kill('SIGKILL'));
  let told = '';
  for await (const text of server.stdout) {
    told += text;
    if (told.includes('Ready to accept connections')) return `redis://127.0.0.1:${port}`;
  }
  throw new Error(told);
}

/** A machine on which each test goes wrong; answers with how many it has given up. */
async function failing(path: string, url: string): Promise<number> {
  using store = openStore(path, { readonly: true });
  const { hash } = planSchema.parse(store.noted(PLAN));
  const connection = { url, maxRetriesPerRequest: null };
  const queue = new Queue(`unweave-${hash}`, { connection });
  const worker = new Worker(queue.name, () => Promise.reject(new Error('its disk is full')), { connection });
  while ((await queue.getJobCounts('waiting'))['waiting'] !== 0) await sleep(20);
  await worker.close();
  const { failed = 0 } = await queue.getJobCounts('failed');
  await queue.close();
  return failed;
}

test('a queue, one of whose workers is killed: the report of one run', { skip: SKIP }, async (t) => {
  const url = await redis(t);
  const work = (store: string) => {
    copyFileSync(join(cwd, 'plan.db'), join(cwd, store));
    return ['work', '--redis', url, '--json', 'out.json', ...HOW, store, ...COMMAND];
  };
  const { child, ended } = start(cwd, work('killed.db'));
  while (child.exitCode === null && verdictsIn(join(cwd, 'killed.db')) === 0) await sleep(20);
  process.kill(-child.pid!, 'SIGKILL');
  assert.equal((await ended).code, null, 'killed before its end');

  assert.ok((await failing(join(cwd, 'plan.db'), url)) > 0);
  const all = await run(cwd, work('other.db'));
  assert.deepEqual(reported(), whole);
  assert.equal(all.code, one.code);
  assert.equal(alike(all.out), alike(one.out));

  const bounded = ['work', '--redis', url, '--budget', '5', ...HOW, 'other.db', ...COMMAND];
  assertOneLine(await run(cwd, bounded), 2, /--max-time bounds each test, not --budget/);
  const nobody = ['work', '--redis', 'redis://user:secret@127.0.0.1:1', ...HOW, 'other.db', ...COMMAND];
  const refused = await run(cwd, nobody);
  assertOneLine(refused, 2, /redis:\/\/127\.0\.0\.1:1: ECONNREFUSED/);
});
