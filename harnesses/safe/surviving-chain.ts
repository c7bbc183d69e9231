/**
 * A chain of promises that survives a failing link.
 * Looks racy: a balance read and written across an await, and one step throws. Safe: one link at a time; the
 * tail swallows the failure that the caller gets.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Till {
  balance = 0;
  #tail: Promise<unknown> = Promise.resolve();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  enter(receipt: string): Promise<void> {
    const entry = this.#tail.then(() => this.book(receipt));
    this.#tail = entry.catch(() => {});
    return entry;
  }

  async book(receipt: string): Promise<void> {
    const before = this.balance;
    const amount = Number(await readFile(join(this.dir, receipt), 'utf8'));
    this.balance = before + amount;
  }
}

harness({
  name: 'surviving-chain',
  setup: async ({ dir }) => {
    await writeFile(join(dir, 'bread'), '3');
    await writeFile(join(dir, 'milk'), '2');
    return new Till(dir);
  },
  tasks: {
    bread: (till) => till.enter('bread'),
    lost: (till) => assert.rejects(till.enter('lost'), { code: 'ENOENT' }),
    milk: (till) => till.enter('milk'),
  },
  check: ({ balance }) => assert.equal(balance, 5),
  expect: { bug: false },
});
