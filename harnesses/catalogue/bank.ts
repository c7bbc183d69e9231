/**
 * Deposit and withdrawal on one account (the running example of the CHESS note).
 * Bad: `withdraw` gives the lock back between looking at the balance and debiting it; a deposit that
 * gets the lock in between is overwritten.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { twins } from '../lib/twins.ts';

class Account {
  balance: number;
  protected readonly lock = new Mutex();
  protected readonly dir: string;

  constructor(dir: string, balance: number) {
    this.dir = dir;
    this.balance = balance;
  }

  async deposit(amount: number): Promise<void> {
    await this.lock.runExclusive(async () => {
      const before = this.balance;
      await this.journal('deposit', amount);
      this.balance = before + amount;
    });
  }

  async withdraw(amount: number): Promise<void> {
    const before = await this.lock.runExclusive(async () => {
      const balance = this.balance;
      await this.journal('asked', amount);
      return balance;
    });
    if (before < amount) throw new Error('insufficient funds');
    await this.lock.runExclusive(async () => {
      await this.journal('withdrawal', amount);
      this.balance = before - amount;
    });
  }

  protected async journal(entry: string, amount: number): Promise<void> {
    await writeFile(join(this.dir, `${entry}.txt`), String(amount));
  }
}

class SafeAccount extends Account {
  override async withdraw(amount: number): Promise<void> {
    await this.lock.runExclusive(async () => {
      const before = this.balance;
      await this.journal('asked', amount);
      if (before < amount) throw new Error('insufficient funds');
      await this.journal('withdrawal', amount);
      this.balance = before - amount;
    });
  }
}

twins<Account>({
  name: 'bank',
  bad: ({ dir }) => new Account(dir, 100),
  ok: ({ dir }) => new SafeAccount(dir, 100),
  tasks: {
    withdraw: (account) => account.withdraw(100),
    deposit: async (account) => {
      await sleep(80);
      await account.deposit(100);
    },
  },
  check: (account) => assert.equal(account.balance, 100),
  expect: { pattern: 'RWW', entity: 'Account#balance' },
});
