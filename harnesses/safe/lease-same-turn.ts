/**
 * A lease that must be taken up before the offering turn is over.
 * Looks racy: offered by one task, taken by another, withdrawn by an immediate.
 * Safe: the waiter continues in the turn of the offer, before any immediate.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { harness } from '../api.ts';

class LeaseDesk {
  lease: 'none' | 'offered' | 'taken' | 'expired' = 'none';
  readonly waiting: (() => void)[] = [];
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async take(): Promise<void> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    assert.equal(this.lease, 'offered');
    this.lease = 'taken';
  }

  async offer(): Promise<void> {
    await stat(this.dir);
    this.lease = 'offered';
    this.waiting.shift()?.();
    await new Promise<void>((resolve) => {
      setImmediate(() => {
        if (this.lease === 'offered') this.lease = 'expired';
        resolve();
      });
    });
  }
}

harness({
  name: 'lease-same-turn',
  setup: ({ dir }) => new LeaseDesk(dir),
  tasks: {
    taker: (desk) => desk.take(),
    owner: (desk) => desk.offer(),
    other: async (desk) => {
      await stat(desk.dir);
      await stat(desk.dir);
      assert.notEqual(desk.lease, 'expired');
    },
  },
  check: ({ lease }) => assert.equal(lease, 'taken'),
  expect: { bug: false },
});
