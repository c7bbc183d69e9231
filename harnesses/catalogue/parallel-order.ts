/**
 * An order that asks for the stock and for the approval at once.
 * Bad: the stock read by one member of `Promise.all` is old when the other member is there. RWW.
 * Ok: stock is looked at and debited in one turn, after the approval.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Warehouse {
  stock = 10;
  readonly shipped: number[] = [];
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async order(amount: number): Promise<void> {
    const [stock, limit] = await Promise.all([this.available(), this.limit()]);
    if (amount > stock || amount > limit) return;
    this.stock = stock - amount;
    this.shipped.push(amount);
  }

  async available(): Promise<number> {
    return this.stock;
  }

  async limit(): Promise<number> {
    return Number(await readFile(join(this.dir, 'limit.txt'), 'utf8'));
  }
}

class LateReadingWarehouse extends Warehouse {
  override async order(amount: number): Promise<void> {
    const limit = await this.limit();
    const stock = this.stock;
    if (amount > stock || amount > limit) return;
    this.stock = stock - amount;
    this.shipped.push(amount);
  }
}

const withLimit = async (warehouse: Warehouse): Promise<Warehouse> => {
  await writeFile(join(warehouse.dir, 'limit.txt'), '8');
  return warehouse;
};

twins<Warehouse>({
  name: 'parallel-order',
  bad: ({ dir }) => withLimit(new Warehouse(dir)),
  ok: ({ dir }) => withLimit(new LateReadingWarehouse(dir)),
  tasks: {
    ann: (warehouse) => warehouse.order(4),
    bob: async (warehouse) => {
      await sleep(80);
      await warehouse.order(5);
    },
  },
  check: ({ stock, shipped }) => assert.equal(stock + shipped.reduce((sum, n) => sum + n, 0), 10),
  expect: { pattern: 'RWW', entity: 'Warehouse#stock' },
});
