/**
 * A session that connects and may be closed meanwhile.
 * Bad: `close` falls between the two writes of `connect`, and the closed session ends as `ready`. WWW.
 * Ok: `connect` gives up when it is no longer the latest thing that was asked of the session.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

class Session {
  status = 'new';
  readonly keyFile: string;

  constructor(keyFile: string) {
    this.keyFile = keyFile;
  }

  async connect(): Promise<void> {
    this.status = 'connecting';
    await readFile(this.keyFile);
    this.status = 'ready';
  }

  close(): void {
    this.status = 'closed';
  }
}

class GuardedSession extends Session {
  #generation = 0;

  override async connect(): Promise<void> {
    this.#generation += 1;
    const mine = this.#generation;
    this.status = 'connecting';
    await readFile(this.keyFile);
    if (this.#generation !== mine) return;
    this.status = 'ready';
  }

  override close(): void {
    this.#generation += 1;
    this.status = 'closed';
  }
}

const keyIn = async (dir: string): Promise<string> => {
  const path = join(dir, 'key.pem');
  await writeFile(path, 'secret');
  return path;
};

twins<Session>({
  name: 'session-status',
  bad: async ({ dir }) => new Session(await keyIn(dir)),
  ok: async ({ dir }) => new GuardedSession(await keyIn(dir)),
  tasks: {
    connect: (session) => session.connect(),
    close: async (session) => {
      await sleep(80);
      session.close();
    },
  },
  check: ({ status }) => assert.equal(status, 'closed'),
  expect: { pattern: 'WWW', entity: 'Session#status' },
});
