// Fifty postings under a lock each; the monthly fee goes past it.
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';

class Account {
  mutex = new Mutex();
  balance = 100;
}

class Ledger {
  posted = 0;

  constructor(path) {
    this.path = path;
    this.accounts = Array.from({ length: 10 }, () => new Account());
  }

  async post(account, amount) {
    const { balance } = account;
    await appendFile(this.path, `${amount}\n`);
    account.balance = balance + amount;
    this.posted += 1;
  }

  deposit(at, amount) {
    const account = this.accounts[at];
    return account.mutex.runExclusive(() => this.post(account, amount));
  }

  fee(at) {
    return this.post(this.accounts[at], -1);
  }
}

class GuardedLedger extends Ledger {
  fee(at) {
    return this.deposit(at, -1);
  }
}

async function posted(Kind) {
  const dir = await mkdtemp(join(tmpdir(), 'recall-'));
  const ledger = new Kind(join(dir, 'ledger'));
  const postings = Array.from({ length: 50 }, (_, at) => sleep(2 * at).then(() => ledger.deposit(at % 10, 5)));
  await Promise.all([...postings, sleep(51).then(() => ledger.fee(4))]);
  const lines = (await readFile(ledger.path, 'utf8')).trim().split('\n');
  assert.equal(lines.length, ledger.posted);
  assert.deepEqual(ledger.accounts.map(({ balance }) => balance), [125, 125, 125, 125, 124, 125, 125, 125, 125, 125]);
  await rm(dir, { recursive: true });
}

test('racy', () => posted(Ledger));
test('repaired', () => posted(GuardedLedger));
