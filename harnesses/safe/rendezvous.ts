/**
 * A latch: what one task wrote before it, the other reads after it.
 * Looks racy: unlocked fields written by one and read by another. Safe: nobody passes before all have come.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class Latch {
  left: number;
  readonly opened = Promise.withResolvers<void>();

  constructor(parties: number) {
    this.left = parties;
  }

  async arrive(): Promise<void> {
    this.left -= 1;
    if (this.left === 0) this.opened.resolve();
    await this.opened.promise;
  }
}

class Halves {
  north = 0;
  south = 0;
  readonly latch = new Latch(2);
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async read(name: string): Promise<number> {
    return Number(await readFile(join(this.dir, name), 'utf8'));
  }
}

harness({
  name: 'rendezvous',
  setup: async ({ dir }) => {
    await writeFile(join(dir, 'north'), '10');
    await writeFile(join(dir, 'south'), '20');
    return new Halves(dir);
  },
  tasks: {
    north: async (halves) => {
      halves.north = await halves.read('north');
      await halves.latch.arrive();
      assert.equal(halves.north + halves.south, 30);
    },
    south: async (halves) => {
      halves.south = await halves.read('south');
      await halves.latch.arrive();
      assert.equal(halves.north + halves.south, 30);
    },
  },
  check: ({ latch }) => assert.equal(latch.left, 0),
  expect: { bug: false },
});
