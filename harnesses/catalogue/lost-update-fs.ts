/**
 * A visit counter kept in a file.
 * Bad: both visits read the same number; the later write swallows the earlier one.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Mutex } from 'async-mutex';
import { harness } from '../api.ts';

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
const tasks = {
  first: (counter: VisitCounter) => counter.visit(),
  second: async (counter: VisitCounter) => {
    await sleep(80);
    await counter.visit();
  },
};
const check = async (counter: VisitCounter) => assert.equal(await readFile(counter.path, 'utf8'), '12');

harness({
  name: 'lost-update-fs/bad',
  setup: ({ dir }) => start(new VisitCounter(dir)),
  tasks,
  check,
  // WRW: the second visit reads the file that the first has emptied and not yet written.
  expect: { bug: true, pattern: ['RWW', 'WRW'], entityMatch: '^fs:.*visits\\.txt' },
});

harness({
  name: 'lost-update-fs/ok',
  setup: ({ dir }) => start(new LockedVisitCounter(dir)),
  tasks,
  check,
  expect: { bug: false },
});
