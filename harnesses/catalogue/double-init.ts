/**
 * A connection opened on first use and kept in a private field.
 * Bad: the field is still empty while the first user waits for the connection; the second opens another.
 */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { twins } from '../lib/twins.ts';

interface Connection {
  readonly host: string;
}

class Server {
  opened = 0;
  readonly dir: string;

  constructor(dir: string) {
    this.dir = dir;
  }

  async open(): Promise<Connection> {
    const host = await readFile(join(this.dir, 'host.txt'), 'utf8');
    this.opened += 1;
    return { host };
  }
}

interface Client {
  connection(): Promise<Connection>;
}

class LazyClient implements Client {
  #connection: Connection | null = null;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  async connection(): Promise<Connection> {
    const existing = this.#connection;
    if (existing) return existing;
    const fresh = await this.#server.open();
    this.#connection = fresh;
    return fresh;
  }
}

class MemoClient implements Client {
  #connection: Promise<Connection> | null = null;
  readonly #server: Server;

  constructor(server: Server) {
    this.#server = server;
  }

  async connection(): Promise<Connection> {
    const existing = this.#connection;
    if (existing) return existing;
    const fresh = this.#server.open();
    this.#connection = fresh;
    return await fresh;
  }
}

interface State {
  readonly server: Server;
  readonly client: Client;
}

const stateOf = async (dir: string, make: (server: Server) => Client): Promise<State> => {
  await writeFile(join(dir, 'host.txt'), 'db.example');
  const server = new Server(dir);
  return { server, client: make(server) };
};

twins<State>({
  name: 'double-init',
  bad: ({ dir }) => stateOf(dir, (server) => new LazyClient(server)),
  ok: ({ dir }) => stateOf(dir, (server) => new MemoClient(server)),
  tasks: {
    first: ({ client }) => client.connection(),
    second: async ({ client }) => {
      await sleep(80);
      await client.connection();
    },
  },
  check: ({ server }) => assert.equal(server.opened, 1),
  expect: { pattern: 'RWW', entityMatch: '^LazyClient#+connection$' },
});
