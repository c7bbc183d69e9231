/** The package `better-sqlite3`, whichever copy of it the program has: its tables are entities as those of `node:sqlite` are. */
import { resolve } from 'node:path';
import { wrapMethod } from '../replace.ts';
import type { DriverAdapter, DriverHost } from './driver.ts';
import { sqlTables } from './sql-tables.ts';

interface BetterDatabase {
  /** As it was given. */
  readonly name: string;
  readonly memory: boolean;
}

interface Statement {
  readonly source: string;
  readonly database: BetterDatabase;
}

export const betterSqlite3: DriverAdapter = {
  module: 'better-sqlite3',
  adopt(exports, host) {
    const { prototype } = exports as { prototype?: object };
    if (!prototype) return;
    const { nameOf, touched } = sqlTables(host);
    const named = (database: BetterDatabase) =>
      nameOf(database, database.memory ? null : resolve(database.name));
    wrapMethod(
      prototype,
      'prepare',
      (prepare) =>
        function (this: BetterDatabase, ...args) {
          const statement = prepare.apply(this, args) as object;
          wrapStatements(Object.getPrototypeOf(statement), named, host);
          return statement;
        },
    );
    wrapMethod(
      prototype,
      'exec',
      (exec) =>
        function (this: BetterDatabase, ...args) {
          const result = exec.apply(this, args);
          if (host.active()) touched('sqlite.exec', named(this), String(args[0]));
          return result;
        },
    );
  },
};

/** Prototypes of statements, which are met with the first one. */
const known = new WeakSet<object>();

function wrapStatements(
  prototype: object,
  named: (database: BetterDatabase) => string,
  host: DriverHost,
): void {
  if (known.has(prototype)) return;
  known.add(prototype);
  const { touched } = sqlTables(host);
  for (const method of ['get', 'all', 'iterate', 'run'])
    wrapMethod(
      prototype,
      method,
      (native) =>
        function (this: Statement, ...args) {
          const result = native.apply(this, args);
          if (host.active()) touched(`sqlite.${method}`, named(this.database), this.source);
          return result;
        },
    );
}
