/**
 * `node:sqlite`. A backup goes on in the thread pool, unseen by Node's lists of what is alive, and tells of its progress in
 * turns that nobody foresees.
 */
import { wrapMethod } from '../replace.ts';
import type { DriverAdapter } from './driver.ts';
import { sqlTables } from './sql-tables.ts';

type NativeClass = { readonly prototype: object };
type Database = { location?(): string | null };

export const nodeSqlite: DriverAdapter = {
  module: 'node:sqlite',
  adopt(exports, host) {
    const { DatabaseSync, StatementSync } = exports as {
      DatabaseSync?: NativeClass;
      StatementSync?: NativeClass;
    };
    if (!DatabaseSync || !StatementSync) return;
    const { nameOf, touched } = sqlTables(host);
    const named = (database: Database) => nameOf(database, database.location?.() ?? null);
    /** By statement: what its database is called. */
    const names = new WeakMap<object, string>();
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
          const statement = prepare.apply(this, args);
          if (host.active()) names.set(statement as object, named(this));
          return statement;
        },
    );
    wrapMethod(
      DatabaseSync.prototype,
      'exec',
      (exec) =>
        function (this: Database, ...args) {
          const result = exec.apply(this, args);
          if (host.active()) touched('sqlite.exec', named(this), String(args[0]));
          return result;
        },
    );
    for (const method of ['get', 'all', 'iterate', 'run'])
      wrapMethod(
        StatementSync.prototype,
        method,
        (native) =>
          function (this: { sourceSQL?: string }, ...args) {
            const result = native.apply(this, args);
            const database = names.get(this);
            if (database !== undefined && host.active())
              touched(`sqlite.${method}`, database, String(this.sourceSQL));
            return result;
          },
      );
  },
};
