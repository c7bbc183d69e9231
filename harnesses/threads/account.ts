/**
 * Two accounts and two transfers in opposite directions. Bad: each locks the account it takes money from only, so
 * that what the other one pays in meanwhile is lost. Good: each locks both, always in the same order.
 */
import assert from 'node:assert/strict';
import { int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

interface Account {
  readonly monitor: Monitor;
  readonly balance: Int32Array;
}

class Bank {
  readonly a: Account;
  readonly b: Account;

  constructor({ a, b }: { a: Account; b: Account }) {
    this.a = a;
    this.b = b;
  }

  transfer(from: Account, to: Account, amount: number): void {
    from.monitor.synchronized(() => this.move(from, to, amount));
  }

  protected move(from: Account, to: Account, amount: number): void {
    from.balance[0]! -= amount;
    to.balance[0]! += amount;
  }
}

class SafeBank extends Bank {
  override transfer(from: Account, to: Account, amount: number): void {
    this.a.monitor.synchronized(() => this.b.monitor.synchronized(() => this.move(from, to, amount)));
  }
}

const account = record({ monitor: Monitor.part, balance: int32() });
const accounts = { a: account, b: account };

sharedTwins<Bank>({
  name: 'account',
  bad: record(accounts, (fields) => new Bank(fields)),
  ok: record(accounts, (fields) => new SafeBank(fields)),
  initial: ({ a, b }) => {
    a.balance[0] = 100;
    b.balance[0] = 100;
  },
  threads: {
    there: (bank) => bank.transfer(bank.a, bank.b, 10),
    back: (bank) => bank.transfer(bank.b, bank.a, 20),
  },
  check: ({ a, b }) => assert.deepEqual([a.balance[0], b.balance[0]], [110, 90]),
  expect: { pattern: 'RWW', entityMatch: '^[ab]\\.balance$' },
});
