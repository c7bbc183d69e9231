import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Account } from './account.js';

describe('account', () => {
  let dir;
  let account;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'account-'));
    account = new Account(join(dir, 'balance'));
    await writeFile(account.file, '0');
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('deposits', async () => {
    await account.deposit(5);
    assert.equal(await account.balance(), 5);
  });

  it('deposits twice at once', async () => {
    await Promise.all([account.deposit(5), sleep(50).then(() => account.deposit(7))]);
    assert.equal(await account.balance(), 12);
  });
});

test('outer', async (t) => {
  await t.test('inner', async () => {
    await sleep(1);
  });
  await t.test('inner', (_t, done) => setImmediate(done));
});
