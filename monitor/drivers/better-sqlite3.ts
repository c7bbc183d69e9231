/** The package `better-sqlite3`, whichever copy of it the program has: its tables are entities as those of `node:sqlite` are. */
import { resolve } from 'node:path';
import { wrapMethod } from '../replace.ts';
import type { DriverAdapter } from './driver.ts';
import { type SqlTables, sqlTables } from './sql-tables.ts';
import type { SqlConnection } from './statement.ts';

interface BetterDatabase {
  /** As it was given. */
  readonly name: string;
  readonly memory: boolean;
  readonly inTransaction: boolean;
  pragma(sql: string, options?: object): unknown;
  prepare(sql: string): object;
}

interface Statement {
  readonly source: string;
  readonly database: BetterDatabase;
}

export const betterSqlite3: DriverAdapter = {
  module: 'better-sqlite3',
  adopt(exports, host, order) {
    const { prototype } = exports as { prototype?: BetterDatabase };
    if (!prototype) return;
    const tables = sqlTables(host, order);
    const { pragma } = prototype;
    const connections = new WeakMap<BetterDatabase, SqlConnection>();
    const connectionOf = (database: BetterDatabase): SqlConnection => {
      let connection = connections.get(database);
      if (!connection) connections.set(database, (connection = connect(database, pragma)));
      return connection;
    };
    let isKnown = false;
    const meetStatements = (database: BetterDatabase): void => {
      try {
        database.prepare('select 1');
      } catch {
        // It is closed, or amid something: what comes fails as well.
      }
    };
    wrapMethod(
      prototype,
      'prepare',
      (prepare) =>
        function (this: BetterDatabase, ...args) {
          const statement = tables.prepare(connectionOf(this), () => prepare.apply(this, args)) as object;
          isKnown = true;
          wrapStatements(Object.getPrototypeOf(statement), connectionOf, tables);
          return statement;
        },
    );
    // These make statements of their own, which are wrapped as all others.
    for (const method of ['pragma', 'transaction'])
      wrapMethod(
        prototype,
        method,
        (native) =>
          function (this: BetterDatabase, ...args) {
            if (!isKnown) meetStatements(this);
            return native.apply(this, args);
          },
      );
    wrapMethod(
      prototype,
      'exec',
      (exec) =>
        function (this: BetterDatabase, ...args) {
          if (typeof args[0] !== 'string') return exec.apply(this, args);
          const run = (sql: string) => exec.call(this, sql);
          return tables.run({
            ...{ api: 'sqlite.exec', sql: args[0], connection: connectionOf(this), isText: true, run },
          });
        },
    );
    wrapMethod(
      prototype,
      'close',
      (close) =>
        function (this: BetterDatabase, ...args) {
          return tables.close(connectionOf(this), () => close.apply(this, args));
        },
    );
  },
};

const connect = (database: BetterDatabase, pragma: BetterDatabase['pragma']): SqlConnection => ({
  path: () => (database.memory ? null : resolve(database.name)),
  patience: () => Number(pragma.call(database, 'busy_timeout', { simple: true })),
  beImpatient: (ms) => void pragma.call(database, `busy_timeout = ${ms}`),
  inTransaction: () => database.inTransaction,
});

/** Prototypes of statements, which are met with the first one. */
const known = new WeakSet<object>();

function wrapStatements(
  prototype: object,
  connectionOf: (database: BetterDatabase) => SqlConnection,
  tables: SqlTables,
): void {
  if (known.has(prototype)) return;
  known.add(prototype);
  for (const method of ['get', 'all', 'iterate', 'run'])
    wrapMethod(
      prototype,
      method,
      (native) =>
        function (this: Statement, ...args) {
          const { database, source: sql } = this;
          const run = () => native.apply(this, args);
          return tables.run({ api: `sqlite.${method}`, sql, connection: connectionOf(database), run });
        },
    );
}
