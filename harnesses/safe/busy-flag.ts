/**
 * A synchronisation that is skipped while another is running.
 * Looks racy: a flag that is looked at and set. Safe: in one turn; `finally` takes it back.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { harness } from '../api.ts';

class Synchroniser {
  busy = false;
  done = 0;
  skipped = 0;
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'runs.txt');
  }

  async run(): Promise<void> {
    if (this.busy) {
      this.skipped += 1;
      return;
    }
    this.busy = true;
    try {
      const runs = Number(await readFile(this.path, 'utf8'));
      await writeFile(this.path, String(runs + 1));
      this.done += 1;
    } finally {
      this.busy = false;
    }
  }
}

harness({
  name: 'busy-flag',
  setup: async ({ dir }) => {
    const synchroniser = new Synchroniser(dir);
    await writeFile(synchroniser.path, '0');
    return synchroniser;
  },
  tasks: {
    button: (synchroniser) => synchroniser.run(),
    doubleClick: (synchroniser) => synchroniser.run(),
    timer: async (synchroniser) => {
      await sleep(30);
      await synchroniser.run();
    },
  },
  check: async ({ path, done, skipped }) => {
    assert.equal(done + skipped, 3);
    assert.equal(await readFile(path, 'utf8'), String(done));
  },
  expect: { bug: false },
});
