/** A test that awaits one call after the other, through the command: what two of them lose is found with nothing declared. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FEW_ORDERS, project, readReport, run } from '../batch/command.ts';

const ACCOUNT = `
const later = () => new Promise((resolve) => setTimeout(resolve, 1));
export class Account {
  #balance = 0;
  #last = Promise.resolve();
  deposit(amount) {
    if (process.env.ACCOUNT !== 'repaired') return this.#add(amount);
    return (this.#last = this.#last.then(() => this.#add(amount)));
  }
  async #add(amount) {
    const before = this.#balance;
    await later();
    this.#balance = before + amount;
  }
  async balance() { return this.#balance; }
}`;

const TEST = `
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Account } from '../src/account.js';
test('deposits', async () => {
  const account = new Account();
  await account.deposit(50);
  assert.equal(await account.balance(), 50);
  await account.deposit(20);
  assert.equal(await account.balance(), 70);
});`;

test('two calls at the same time', async (t) => {
  const cwd = project(t, { 'src/account.js': ACCOUNT, 'test/account.test.js': TEST });
  t.after(() => delete process.env['ACCOUNT']);
  const overlap = async (state: string) => {
    process.env['ACCOUNT'] = state;
    const ended = await run(cwd, [
      'overlap',
      '--calls',
      ...FEW_ORDERS,
      '--json',
      'out.json',
      '--',
      'node',
      '--test',
    ]);
    return { ...ended, report: readReport(cwd) };
  };
  const broken = await overlap('broken');
  assert.equal(broken.code, 1, broken.out);
  const told = broken.report.bugs.map((bug) => bug.test);
  assert.ok(
    told.some((name) => name.endsWith('deposits: account.deposit(50) ∥ account.deposit(50)')),
    told.join('\n'),
  );
  assert.match(broken.out, /`Account#balance`/);
  assert.match(broken.out, /no serial order of these 2 operations gives this outcome/);
  const repaired = await overlap('repaired');
  assert.deepEqual(repaired.report.bugs, [], repaired.out);
  assert.equal(repaired.code, 0, repaired.out);
});

test('nothing that could overlap', async (t) => {
  const cwd = project(t, {
    'only.test.js': `
      import { test } from 'node:test';
      import { setTimeout as sleep } from 'node:timers/promises';
      test('sleeps', async () => { await sleep(1); await sleep(1); });`,
  });
  const { code, err } = await run(cwd, ['overlap', '--calls', '--', 'node', '--test']);
  assert.equal(code, 3, err);
  assert.match(err, /makes two asynchronous calls .*: nothing can overlap/);
});
