/**
 * `node:sqlite`. A backup goes on in the thread pool, unseen by Node's lists of what is alive, and tells of its progress in
 * turns that nobody foresees.
 */
import { wrapMethod } from '../replace.ts';
import type { DriverAdapter } from './driver.ts';
import { sqlTables } from './sql-tables.ts';
import type { SqlConnection } from './statement.ts';

type NativeClass = { readonly prototype: object };

interface Database {
  location?(): string | null;
  prepare(sql: string): { get(): unknown };
  exec(sql: string): void;
  readonly isTransaction: boolean;
}

interface Natives {
  readonly prepare: Database['prepare'];
  readonly get: () => unknown;
  readonly exec: Database['exec'];
}

export const nodeSqlite: DriverAdapter = {
  module: 'node:sqlite',
  adopt(exports, host, order) {
    const { DatabaseSync, StatementSync } = exports as {
      DatabaseSync?: NativeClass;
      StatementSync?: NativeClass;
    };
    if (!DatabaseSync || !StatementSync) return;
    const tables = sqlTables(host, order);
    const natives = { ...methodsOf(DatabaseSync, 'prepare', 'exec'), ...methodsOf(StatementSync, 'get') };
    const connections = new WeakMap<object, SqlConnection>();
    const connectionOf = (database: Database): SqlConnection => {
      let connection = connections.get(database);
      if (!connection) {
        connection = connect(database, natives as unknown as Natives);
        connections.set(database, connection);
      }
      return connection;
    };
    /** By statement: that of its database. */
    const prepared = new WeakMap<object, SqlConnection>();
    wrapMethod(
      exports,
      'backup',
      (backup) =>
        function (this: unknown, ...args) {
          const done = backup.apply(this, args) as Promise<number>;
          if (!host.active()) return done;
          host.doubt('sqlite.backup');
          const over = host.begin('sqlite.backup');
          done.then(over, over);
          return done;
        },
    );
    wrapMethod(
      DatabaseSync.prototype,
      'prepare',
      (prepare) =>
        function (this: Database, ...args) {
          const statement = tables.prepare(connectionOf(this), () => prepare.apply(this, args));
          if (host.active()) prepared.set(statement as object, connectionOf(this));
          return statement;
        },
    );
    wrapMethod(
      DatabaseSync.prototype,
      'exec',
      (exec) =>
        function (this: Database, ...args) {
          if (typeof args[0] !== 'string') return exec.apply(this, args);
          const run = (sql: string) => exec.call(this, sql);
          return tables.run({
            ...{ api: 'sqlite.exec', sql: args[0], connection: connectionOf(this), isText: true, run },
          });
        },
    );
    wrapMethod(
      DatabaseSync.prototype,
      'close',
      (close) =>
        function (this: Database, ...args) {
          return tables.close(connectionOf(this), () => close.apply(this, args));
        },
    );
    for (const method of ['get', 'all', 'iterate', 'run'])
      wrapMethod(
        StatementSync.prototype,
        method,
        (native) =>
          function (this: { sourceSQL?: string }, ...args) {
            const connection = prepared.get(this);
            const run = () => native.apply(this, args);
            if (!connection) return run();
            return tables.run({ api: `sqlite.${method}`, sql: String(this.sourceSQL), connection, run });
          },
      );
  },
};

const methodsOf = ({ prototype }: NativeClass, ...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, Reflect.get(prototype, name)]));

const connect = (database: Database, { prepare, get, exec }: Natives): SqlConnection => ({
  path: () => database.location?.() ?? null,
  patience() {
    const row = get.call(prepare.call(database, 'PRAGMA busy_timeout')) as object;
    return Number(Object.values(row)[0]);
  },
  beImpatient: (ms) => exec.call(database, `PRAGMA busy_timeout = ${ms}`),
  inTransaction: () => database.isTransaction,
});
