/**
 * A visit counter kept in a file.
 * Bad: both visits read the same number; the later write swallows the earlier one.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { twins } from '../lib/twins.ts';

class VisitCounter {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'visits.txt');
  }

  async visit(): Promise<void> {
    const visits = Number(await readFile(this.path, 'utf8'));
    await writeFile(this.path, String(visits + 1));
  }
}

class LockedVisitCounter extends VisitCounter {
  readonly #lock = new Mutex();

  override async visit(): Promise<void> {
    await this.#lock.runExclusive(async () => {
      const visits = Number(await readFile(this.path, 'utf8'));
      await writeFile(this.path, String(visits + 1));
    });
  }
}

const start = async (counter: VisitCounter): Promise<VisitCounter> => {
  await writeFile(counter.path, '10');
  return counter;
};

twins<VisitCounter>({
  name: 'lost-update-fs',
  bad: ({ dir }) => start(new VisitCounter(dir)),
  ok: ({ dir }) => start(new LockedVisitCounter(dir)),
  tasks: {
    first: (counter) => counter.visit(),
    second: async (counter) => {
      await sleep(80);
      await counter.visit();
    },
  },
  check: async (counter) => assert.equal(await readFile(counter.path, 'utf8'), '12'),
  // WRW: the second visit reads the file that the first has emptied and not yet written.
  expect: { pattern: ['RWW', 'WRW'], entityMatch: '^fs:.*visits\\.txt' },
});
