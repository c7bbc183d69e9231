/**
 * A release that notes which version it works on and reads the note later.
 * Bad: another release overwrites the note in between, and the first announces the other's version. WWR.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Releaser {
  current = '';
  readonly announced: string[] = [];
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async release(version: string): Promise<void> {
    this.current = version;
    await this.pack(version);
    this.announced.push(this.current);
  }

  async pack(version: string): Promise<void> {
    await writeFile(join(this.dir, `${version}.tgz`), version);
  }
}

class ArgumentReleaser extends Releaser {
  override async release(version: string): Promise<void> {
    await this.pack(version);
    this.current = version;
    this.announced.push(version);
  }
}

twins<Releaser>({
  name: 'own-read-back',
  bad: ({ dir }) => new Releaser(dir),
  ok: ({ dir }) => new ArgumentReleaser(dir),
  tasks: {
    stable: (releaser) => releaser.release('1.0.0'),
    next: async (releaser) => {
      await sleep(80);
      await releaser.release('2.0.0');
    },
  },
  check: ({ announced }) => assert.deepEqual(announced.toSorted(), ['1.0.0', '2.0.0']),
  expect: { pattern: 'WWR', entity: 'Releaser#current' },
});
