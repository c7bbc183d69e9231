/**
 * Payments guarded by async-lock.
 * Bad: the key is the payment, so that two payments to one account do not exclude each other. RWW.
 * Ok: the key is the account.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import AsyncLock from 'async-lock';
import { twins } from '../lib/twins.ts';

class Account {
  readonly id = 'acc-1';
  balance = 0;
}

class Payments {
  readonly account = new Account();
  readonly lock = new AsyncLock();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async pay(payment: string, amount: number): Promise<void> {
    await this.lock.acquire(payment, () => this.book(payment, amount));
  }

  async book(payment: string, amount: number): Promise<void> {
    const balance = this.account.balance;
    await writeFile(join(this.dir, `${payment}.json`), String(amount));
    this.account.balance = balance + amount;
  }
}

class AccountPayments extends Payments {
  override async pay(payment: string, amount: number): Promise<void> {
    await this.lock.acquire(this.account.id, () => this.book(payment, amount));
  }
}

twins<Payments>({
  name: 'wrong-lock-key',
  bad: ({ dir }) => new Payments(dir),
  ok: ({ dir }) => new AccountPayments(dir),
  tasks: {
    rent: (payments) => payments.pay('rent', 700),
    power: async (payments) => {
      await sleep(80);
      await payments.pay('power', 80);
    },
  },
  check: ({ account }) => assert.equal(account.balance, 780),
  expect: { pattern: 'RWW', entity: 'Account#balance' },
});
