/**
 * A counter in a file, read and written synchronously with a look-up between.
 * Bad: both visits read the same number before either wrote it. RWW on the content.
 * Ok: the number is read again when nothing can come between reading and writing.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Visits {
  readonly path: string;
  readonly blocked: string;

  constructor(dir: string) {
    this.path = join(dir, 'visits.txt');
    this.blocked = join(dir, 'blocked.txt');
  }

  async count(visitor: string): Promise<void> {
    const before = Number(readFileSync(this.path, 'utf8'));
    const blocked = await readFile(this.blocked, 'utf8');
    if (!blocked.includes(visitor)) writeFileSync(this.path, String(before + 1));
  }
}

class StraightVisits extends Visits {
  override async count(visitor: string): Promise<void> {
    const blocked = await readFile(this.blocked, 'utf8');
    if (blocked.includes(visitor)) return;
    writeFileSync(this.path, String(Number(readFileSync(this.path, 'utf8')) + 1));
  }
}

const opened = async (visits: Visits): Promise<Visits> => {
  await writeFile(visits.path, '0');
  await writeFile(visits.blocked, 'mallory');
  return visits;
};

twins<Visits>({
  name: 'visit-counter-sync',
  bad: ({ dir }) => opened(new Visits(dir)),
  ok: ({ dir }) => opened(new StraightVisits(dir)),
  tasks: {
    ann: (visits) => visits.count('ann'),
    bob: async (visits) => {
      await sleep(50);
      await visits.count('bob');
    },
  },
  check: ({ path }) => assert.equal(readFileSync(path, 'utf8'), '2'),
  expect: { pattern: 'RWW', entityMatch: '^fs:.*visits.txt' },
});
