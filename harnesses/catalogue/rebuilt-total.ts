/**
 * A total that is recomputed from files.
 * Bad: the shared total is set to zero and summed up again; whoever looks meanwhile sees a part. WRW.
 * Ok: summed up aside and stored at once.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Inventory {
  total = 6;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async recount(): Promise<void> {
    this.total = 0;
    for (const shelf of ['a', 'b', 'c']) {
      const count = await this.count(shelf);
      this.total += count;
    }
  }

  async count(shelf: string): Promise<number> {
    return Number(await readFile(join(this.dir, `shelf-${shelf}.txt`), 'utf8'));
  }
}

class AsideInventory extends Inventory {
  override async recount(): Promise<void> {
    let total = 0;
    for (const shelf of ['a', 'b', 'c']) total += await this.count(shelf);
    this.total = total;
  }
}

interface State {
  readonly inventory: Inventory;
  seen: number;
}

const stateOf = async (inventory: Inventory): Promise<State> => {
  for (const [at, shelf] of ['a', 'b', 'c'].entries())
    await writeFile(join(inventory.dir, `shelf-${shelf}.txt`), String(at + 1));
  return { inventory, seen: Number.NaN };
};

twins<State>({
  name: 'rebuilt-total',
  bad: ({ dir }) => stateOf(new Inventory(dir)),
  ok: ({ dir }) => stateOf(new AsideInventory(dir)),
  tasks: {
    recount: ({ inventory }) => inventory.recount(),
    report: async (state) => {
      await sleep(80);
      state.seen = state.inventory.total;
    },
  },
  check: ({ seen }) => assert.equal(seen, 6),
  expect: { pattern: 'WRW', entity: 'Inventory#total' },
});
