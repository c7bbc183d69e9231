/** The same command twice, on stores of its own: the same report to the byte, but for the times it took. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { API, project, run } from '../batch/command.ts';

const ACCOUNT = `
  import { readFile, writeFile } from 'node:fs/promises';
  import { setTimeout as sleep } from 'node:timers/promises';
  export class Account {
    balance = 0;
    constructor(dir) { this.file = dir + '/balance'; }
    async deposit(amount, ms) { const before = this.balance; await sleep(ms); this.balance = before + amount; }
    async save(amount) {
      const before = Number(await readFile(this.file, 'utf8').catch(() => 0));
      await sleep(1);
      await writeFile(this.file, String(before + amount));
    }
  }`;
/** Tests of different length, so that which one ends first is left to chance when two run at a time. */
const HARNESSES = `
  import assert from 'node:assert/strict';
  import { readFile } from 'node:fs/promises';
  import { setTimeout as sleep } from 'node:timers/promises';
  import { harness } from '${API}';
  import { Account } from './account.js';
  for (const n of [1, 5, 2, 4])
    harness({
      name: 'deposits ' + n,
      setup: ({ dir }) => new Account(dir),
      tasks: {
        async slow(a) { for (let i = 0; i < n; i++) await a.deposit(1, 3 + i); },
        async later(a) { await sleep(40 * n); await a.deposit(1, 1); },
      },
      check: (a) => assert.equal(a.balance, n + 1),
    });
  harness({
    name: 'saves',
    setup: ({ dir }) => new Account(dir),
    tasks: { first: (a) => a.save(1), second: (a) => sleep(30).then(() => a.save(1)) },
    check: async (a) => assert.equal(await readFile(a.file, 'utf8'), '2'),
  });`;
const CASES = `
  import assert from 'node:assert/strict';
  import { mkdtempSync } from 'node:fs';
  import { tmpdir } from 'node:os';
  import test from 'node:test';
  import { Account } from './account.js';
  const account = () => new Account(mkdtempSync(tmpdir() + '/case-'));
  test('one after the other', async () => {
    const a = account();
    await a.deposit(1, 1);
    await a.save(2);
    assert.equal(a.balance, 1);
  });
  test('a late one', async () => {
    const a = account();
    const first = a.deposit(1, 1);
    const second = first.then(() => {});
    await Promise.all([first, second, new Promise((r) => setTimeout(r, 30)).then(() => a.deposit(1, 1))]);
    assert.equal(a.balance, 2);
  });`;

describe('the same command twice', () => {
  const same = async (t: TestContext, files: Readonly<Record<string, string>>, args: readonly string[]) => {
    const cwd = project(t, { 'account.js': ACCOUNT, ...files });
    const told: string[] = [];
    for (const name of ['once', 'twice']) {
      const options = ['--json', `${name}.json`, '--store', `${name}.db`, '--jobs', '2', '--confirm', '1'];
      const ended = await run(cwd, ['run', ...options, '--max-schedules', '12', ...args]);
      assert.ok(ended.code === 0 || ended.code === 1, ended.err);
      const text = readFileSync(join(cwd, `${name}.json`), 'utf8');
      told.push(text.replace(/"timing": \{[^}]*\}/, '"timing": {}'));
    }
    assert.match(told[0]!, /"timing": \{\}/);
    assert.equal(told[1], told[0]);
    return JSON.parse(told[0]!);
  };

  it('over harnesses, of which two run at a time', async (t) => {
    const report = await same(t, { 'all.mjs': HARNESSES }, ['all.mjs']);
    assert.equal(report.tests.length, 5);
    assert.ok(report.bugs.length >= 3, `${report.bugs.length} bugs`);
  });

  it('over a test command', async (t) => {
    const report = await same(t, { 'it.test.mjs': CASES }, ['--', 'node', '--test']);
    assert.equal(report.tests.length, 2);
  });
});
