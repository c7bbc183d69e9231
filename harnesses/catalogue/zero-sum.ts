/**
 * A transfer between two accounts, with a line in a journal between.
 * Bad: whoever adds the accounts up meanwhile misses what is under way. Each balance by itself is read and written once. WRW of two
 * variables.
 * Ok: both balances change in one turn, behind the journal.
 */
import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Bank {
  ann = 100;
  bob = 100;
  readonly journal: string;

  constructor(dir: string) {
    this.journal = join(dir, 'journal.log');
  }

  async transfer(amount: number): Promise<void> {
    this.ann -= amount;
    await appendFile(this.journal, `ann -> bob: ${amount}\n`);
    this.bob += amount;
  }

  total(): number {
    return this.ann + this.bob;
  }
}

class TurnBank extends Bank {
  override async transfer(amount: number): Promise<void> {
    await appendFile(this.journal, `ann -> bob: ${amount}\n`);
    this.ann -= amount;
    this.bob += amount;
  }
}

interface State {
  readonly bank: Bank;
  seen: number;
}

twins<State>({
  name: 'zero-sum',
  bad: ({ dir }) => ({ bank: new Bank(dir), seen: Number.NaN }),
  ok: ({ dir }) => ({ bank: new TurnBank(dir), seen: Number.NaN }),
  tasks: {
    transfer: ({ bank }) => bank.transfer(30),
    audit: async (state) => {
      await sleep(80);
      state.seen = state.bank.total();
    },
  },
  check: ({ seen }) => assert.equal(seen, 200),
  expect: { pattern: 'WRW', entity: 'Bank#ann', other: 'Bank#bob' },
});
