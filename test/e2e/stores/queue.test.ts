/** A plan that is done from a queue, by workers of which one is killed, is the run that does it alone. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync } from 'node:fs';
import net from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Queue, Worker } from 'bullmq';
import { PLAN, planSchema } from '../../../data/plan.ts';
import { openStore } from '../../../data/store/index.ts';
import { assertOneLine, project, readReport, run, start } from '../batch/command.ts';
import { COMMAND, FILES, HOW, verdictsIn, withoutTime } from './shared.ts';

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
  const cwd = project(t, FILES);
  const one = await run(cwd, ['run', '--json', 'out.json', ...HOW, 'one.db', ...COMMAND]);
  const whole = { ...readReport(cwd), timing: null };
  assert.equal((await run(cwd, ['plan', ...HOW, 'plan.db', ...COMMAND])).code, 0);
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
  assert.deepEqual({ ...readReport(cwd), timing: null }, whole);
  assert.equal(all.code, one.code);
  assert.equal(withoutTime(all.out), withoutTime(one.out));

  const bounded = ['work', '--redis', url, '--budget', '5', ...HOW, 'other.db', ...COMMAND];
  assertOneLine(await run(cwd, bounded), 2, /--max-time bounds each test, not --budget/);
  const nobody = ['work', '--redis', 'redis://user:secret@127.0.0.1:1', ...HOW, 'other.db', ...COMMAND];
  const refused = await run(cwd, nobody);
  assertOneLine(refused, 2, /redis:\/\/127\.0\.0\.1:1: ECONNREFUSED/);
});
