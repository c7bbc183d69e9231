/**
 * A database client that hands every answer out in one shared buffer.
 * Looks racy: the next query reuses buffer and connection. Safe: the caller copies its row in the turn in
 * which it arrives, and the next query is sent from that same turn at the earliest.
 */
import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { harness } from '../api.ts';

interface Query {
  readonly sql: string;
  readonly resolve: (connection: Connection) => void;
}

class Connection {
  busy = false;
  buffer = '';
  readonly queue: Query[] = [];
  readonly database: string;

  constructor(database: string) {
    this.database = database;
  }

  query(sql: string): Promise<Connection> {
    return new Promise((resolve) => {
      this.queue.push({ sql, resolve });
      this.pump();
    });
  }

  pump(): void {
    if (this.busy) return;
    const next = this.queue.shift();
    if (!next) return;
    this.busy = true;
    stat(this.database, () => {
      this.busy = false;
      this.buffer = `row of ${next.sql}`;
      next.resolve(this);
      this.pump();
    });
  }
}

const ask = async (connection: Connection, sql: string): Promise<void> => {
  const { buffer } = await connection.query(sql);
  assert.equal(buffer, `row of ${sql}`);
};

harness({
  name: 'row-buffer',
  setup: ({ dir }) => new Connection(dir),
  tasks: {
    users: (connection) => ask(connection, 'users'),
    orders: (connection) => ask(connection, 'orders'),
    prices: (connection) => ask(connection, 'prices'),
  },
  check: ({ busy }) => assert.equal(busy, false),
  expect: { bug: false },
});
