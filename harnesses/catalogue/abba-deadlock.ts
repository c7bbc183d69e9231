/**
 * Transfers that lock both accounts.
 * Bad: each locks the payer first, so that opposite transfers can wait for each other for ever.
 * Ok: locks are taken in the order of the account names.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { twins } from '../lib/twins.ts';

class Account {
  balance: number;
  readonly name: string;
  readonly lock = new Mutex();

  constructor(name: string, balance: number) {
    this.name = name;
    this.balance = balance;
  }
}

class Bank {
  readonly ann = new Account('ann', 100);
  readonly bob = new Account('bob', 100);
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async transfer(from: Account, to: Account, amount: number): Promise<void> {
    await from.lock.runExclusive(async () => {
      await this.audit(from, amount);
      await to.lock.runExclusive(() => this.move(from, to, amount));
    });
  }

  async audit(from: Account, amount: number): Promise<void> {
    await writeFile(join(this.dir, `${from.name}.txt`), `pays ${amount}`);
  }

  move(from: Account, to: Account, amount: number): void {
    from.balance -= amount;
    to.balance += amount;
  }
}

class OrderedBank extends Bank {
  override async transfer(from: Account, to: Account, amount: number): Promise<void> {
    const first = from.name < to.name ? from : to;
    const second = first === from ? to : from;
    await first.lock.runExclusive(async () => {
      await this.audit(from, amount);
      await second.lock.runExclusive(() => this.move(from, to, amount));
    });
  }
}

twins<Bank>({
  name: 'abba-deadlock',
  bad: ({ dir }) => new Bank(dir),
  ok: ({ dir }) => new OrderedBank(dir),
  tasks: {
    annPays: (bank) => bank.transfer(bank.ann, bank.bob, 10),
    bobPays: async (bank) => {
      await sleep(80);
      await bank.transfer(bank.bob, bank.ann, 30);
    },
  },
  check: (bank) => assert.deepEqual([bank.ann.balance, bank.bob.balance], [120, 80]),
  expect: { deadlock: true },
});
