/**
 * Tills that look up a fee in a file between reading and writing what is in them: two threads at one till, and one thread
 * that serves two customers. Bad: what the other one pays meanwhile is lost. Good: the fee is known before, and one
 * operation reads and writes.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { int32, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const feeOf = async (amount: number): Promise<number> => {
  const fees = await readFile(import.meta.filename, 'utf8');
  return fees.length > amount ? 1 : 0;
};

class Till {
  readonly sum: Int32Array;

  constructor({ sum }: { sum: Int32Array }) {
    this.sum = sum;
  }

  async pay(amount: number): Promise<void> {
    const before = this.sum[0]!;
    this.sum[0] = before + amount - (await feeOf(amount));
  }
}

class SafeTill extends Till {
  override async pay(amount: number): Promise<void> {
    Atomics.add(this.sum, 0, amount - (await feeOf(amount)));
  }
}

const fields = { sum: int32() };
const twins = {
  bad: record(fields, (till) => new Till(till)),
  ok: record(fields, (till) => new SafeTill(till)),
  check: ({ sum }: Till) => assert.equal(sum[0], 28),
  expect: { pattern: 'RWW', entity: 'sum' },
} as const;

sharedTwins<Till>({
  ...twins,
  name: 'two tills',
  threads: {
    alice: (till) => till.pay(10),
    bob: (till) => till.pay(20),
  },
});

sharedTwins<Till>({
  ...twins,
  name: 'one till',
  threads: {
    alice: (till) => Promise.all([till.pay(10), sleep(10).then(() => till.pay(20))]),
  },
});
