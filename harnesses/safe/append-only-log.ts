/**
 * Several tasks append lines to one log.
 * Looks racy: one file, many writers. Safe: an append writes at the end, and the order is free.
 */
import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { harness } from '../api.ts';

class AuditLog {
  readonly path: string;

  constructor(dir: string) {
    this.path = join(dir, 'audit.log');
  }

  async trail(user: string): Promise<void> {
    await appendFile(this.path, `${user} in\n`);
    await appendFile(this.path, `${user} out\n`);
  }
}

harness({
  name: 'append-only-log',
  setup: ({ dir }) => new AuditLog(dir),
  tasks: {
    ann: (log) => log.trail('ann'),
    bob: (log) => log.trail('bob'),
    eve: (log) => log.trail('eve'),
  },
  check: async ({ path }) => {
    const lines = (await readFile(path, 'utf8')).trim().split('\n');
    assert.equal(lines.length, 6);
    for (const user of ['ann', 'bob', 'eve'])
      assert.ok(lines.indexOf(`${user} in`) < lines.indexOf(`${user} out`));
  },
  expect: { bug: false },
});
