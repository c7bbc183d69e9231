/**
 * A lock made of a file that only one can create.
 * Looks racy: reading, waiting and writing of a shared file. Safe: flag `wx`, and the loser tries again.
 */
import assert from 'node:assert/strict';
import { open, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '../api.ts';

class LockedNumber {
  readonly path: string;
  readonly lockPath: string;

  constructor(dir: string) {
    this.path = join(dir, 'number.txt');
    this.lockPath = join(dir, 'number.lock');
  }

  async lock(): Promise<void> {
    for (;;) {
      try {
        const handle = await open(this.lockPath, 'wx');
        await handle.close();
        return;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
        await sleep(20);
      }
    }
  }

  async add(amount: number): Promise<void> {
    await this.lock();
    const before = Number(await readFile(this.path, 'utf8'));
    await writeFile(this.path, String(before + amount));
    await unlink(this.lockPath);
  }
}

harness({
  name: 'lock-file',
  setup: async ({ dir }) => {
    const number = new LockedNumber(dir);
    await writeFile(number.path, '1');
    return number;
  },
  tasks: {
    ann: (number) => number.add(10),
    bob: (number) => number.add(100),
  },
  check: async ({ path }) => assert.equal(await readFile(path, 'utf8'), '111'),
  expect: { bug: false },
});
