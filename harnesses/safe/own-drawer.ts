/**
 * Read, await, write, each task in a part of the shared structure that is its own.
 * Looks racy: one Map, one directory, no lock. Safe: no key and no file is touched by two tasks.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Drawers {
  readonly coins = new Map<string, number>();
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async put(owner: string, amount: number): Promise<void> {
    const before = this.coins.get(owner) ?? 0;
    const file = join(this.dir, `${owner}.txt`);
    await writeFile(file, String(before + amount));
    const saved = Number(await readFile(file, 'utf8'));
    this.coins.set(owner, saved);
  }
}

const fill = async (drawers: Drawers, owner: string): Promise<void> => {
  await drawers.put(owner, 1);
  await drawers.put(owner, 2);
};

harness({
  name: 'own-drawer',
  setup: ({ dir }) => new Drawers(dir),
  tasks: {
    ann: (drawers) => fill(drawers, 'ann'),
    bob: (drawers) => fill(drawers, 'bob'),
    eve: (drawers) => fill(drawers, 'eve'),
  },
  check: ({ coins }) => assert.deepEqual([...coins.values()], [3, 3, 3]),
  expect: { bug: false },
});
