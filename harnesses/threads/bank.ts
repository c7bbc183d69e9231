/**
 * The running example of the CHESS note: deposit and withdraw of 100. Bad: the withdrawal reads and writes the balance in
 * two critical sections. Good: in one.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = { lock: Mutex.part, balance: int32() };

class Bank {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  deposit(amount: number): void {
    const { lock, balance } = this.memory;
    lock.runExclusive(() => (balance[0]! += amount));
  }

  withdraw(amount: number): void {
    const { lock, balance } = this.memory;
    const before = lock.runExclusive(() => balance[0]!);
    lock.runExclusive(() => {
      balance[0] = before - amount;
    });
  }
}

class SafeBank extends Bank {
  override withdraw(amount: number): void {
    const { lock, balance } = this.memory;
    lock.runExclusive(() => (balance[0]! -= amount));
  }
}

sharedTwins<Bank>({
  name: 'bank',
  bad: record(fields, (memory) => new Bank(memory)),
  ok: record(fields, (memory) => new SafeBank(memory)),
  initial: ({ memory }) => {
    memory.balance[0] = 100;
  },
  threads: { withdrawer: (bank) => bank.withdraw(100), depositor: (bank) => bank.deposit(100) },
  check: ({ memory }) => assert.equal(memory.balance[0], 100),
  expect: { pattern: 'RWW', entity: 'balance' },
});
