/**
 * A mutex written by hand, with direct hand-over to the next in line.
 * Looks racy: owner and waiters are plain fields. Safe: they change within one turn.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Baton {
  owner: string | null = null;
  readonly waiting: (() => void)[] = [];

  async acquire(name: string): Promise<void> {
    if (this.owner === null) {
      this.owner = name;
      return;
    }
    await new Promise<void>((resolve) => {
      this.waiting.push(() => {
        this.owner = name;
        resolve();
      });
    });
  }

  release(): void {
    this.owner = null;
    const next = this.waiting.shift();
    if (next) next();
  }
}

class Ledger {
  readonly baton = new Baton();
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'sum.txt');
  }

  async add(name: string, amount: number): Promise<void> {
    await this.baton.acquire(name);
    assert.equal(this.baton.owner, name);
    const sum = Number(await readFile(this.path, 'utf8'));
    await writeFile(this.path, String(sum + amount));
    assert.equal(this.baton.owner, name);
    this.baton.release();
  }
}

harness({
  name: 'handmade-mutex',
  setup: async ({ dir }) => {
    const ledger = new Ledger(dir);
    await writeFile(ledger.path, '0');
    return ledger;
  },
  tasks: {
    ann: (ledger) => ledger.add('ann', 1),
    bob: (ledger) => ledger.add('bob', 2),
    eve: (ledger) => ledger.add('eve', 4),
  },
  check: async ({ path }) => assert.equal(await readFile(path, 'utf8'), '7'),
  expect: { bug: false },
});
