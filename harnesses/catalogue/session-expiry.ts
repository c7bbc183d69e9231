/**
 * Sessions in a Map that a sweeper empties.
 * Bad: the session is found, then fetched again after an await; it has expired meanwhile. RWR on a key.
 */
import assert from 'node:assert/strict';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Sessions {
  readonly users = new Map([['s1', { name: 'ann' }]]);
  readonly log: string;

  constructor(dir: string) {
    this.log = join(dir, 'access.log');
  }

  async greet(id: string): Promise<string> {
    if (!this.users.has(id)) return 'please log in';
    await appendFile(this.log, `${id}\n`);
    return `hello ${this.users.get(id)!.name}`;
  }

  expire(id: string): void {
    this.users.delete(id);
  }
}

class CopyingSessions extends Sessions {
  override async greet(id: string): Promise<string> {
    const user = this.users.get(id);
    if (!user) return 'please log in';
    await appendFile(this.log, `${id}\n`);
    return `hello ${user.name}`;
  }
}

twins<Sessions>({
  name: 'session-expiry',
  bad: ({ dir }) => new Sessions(dir),
  ok: ({ dir }) => new CopyingSessions(dir),
  tasks: {
    request: async (sessions) => assert.equal(await sessions.greet('s1'), 'hello ann'),
    sweeper: async (sessions) => {
      await sleep(80);
      sessions.expire('s1');
    },
  },
  check: async ({ log }) => assert.equal(await readFile(log, 'utf8'), 's1\n'),
  expect: { pattern: 'RWR', entityMatch: 's1' },
});
