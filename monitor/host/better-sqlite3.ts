/** The package `better-sqlite3`, whichever copy of it the program has: its tables are entities as those of `node:sqlite` are. */
import { resolve } from 'node:path';
import { wrapMethod } from '../replace.ts';
import { whenPackageLoaded } from './packages.ts';
import type { SqliteTables } from './sqlite.ts';

interface Database {
  /** As it was given. */
  readonly name: string;
  readonly memory: boolean;
}

interface Statement {
  readonly source: string;
  readonly database: Database;
}

export function wrapBetterSqlite3(active: () => boolean, tables: SqliteTables): void {
  const { nameOf, touched } = tables;
  const named = (database: Database) => nameOf(database, database.memory ? null : resolve(database.name));
  /** Prototypes of statements, which are met with the first one. */
  const known = new WeakSet<object>();

  function wrapStatements(prototype: object): void {
    if (known.has(prototype)) return;
    known.add(prototype);
    for (const method of ['get', 'all', 'iterate', 'run'])
      wrapMethod(
        prototype,
        method,
        (native) =>
          function (this: Statement, ...args) {
            const result = native.apply(this, args);
            if (active()) touched(`sqlite.${method}`, named(this.database), this.source);
            return result;
          },
      );
  }

  whenPackageLoaded('better-sqlite3', (exports) => {
    const { prototype } = exports as { prototype?: object };
    if (!prototype) return;
    wrapMethod(
      prototype,
      'prepare',
      (prepare) =>
        function (this: Database, ...args) {
          const statement = prepare.apply(this, args) as object;
          wrapStatements(Object.getPrototypeOf(statement));
          return statement;
        },
    );
    wrapMethod(
      prototype,
      'exec',
      (exec) =>
        function (this: Database, ...args) {
          const result = exec.apply(this, args);
          if (active()) touched('sqlite.exec', named(this), String(args[0]));
          return result;
        },
    );
  });
}
