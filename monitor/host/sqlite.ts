/**
 * `node:sqlite`: statements run in the call, so nothing is held; the tables that they name are entities. Which those
 * are is read off the text: a name too many costs a forced order, one too few a better explanation. A backup goes on in
 * the thread pool, unseen by Node's lists of what is alive, and tells of its progress in turns that nobody foresees.
 */
import { wrapMethod } from '../replace.ts';
import { whenLoaded } from './builtins.ts';
import type { HostDoubts, HostLiveness, HostRequests } from './controller.ts';
import { displayPath } from './fs-paths.ts';
import { touch } from './touch.ts';

type Class = { readonly prototype: object };

/** The name that follows one of these words is that of a table. */
const TABLES = /\b(?:from|join|into|update|table(?:\s+if(?:\s+not)?\s+exists)?)\s+["'`[]?([\p{L}\w$.]+)/giu;
/** Where one of these is named, SQLite may look at its own clock, at once or when a row is made. */
const CLOCKS =
  /\b(?:current_(?:date|time|timestamp)|(?:date|time|datetime|julianday|unixepoch|strftime)\s*\()/i;
const WRITES = /\b(?:insert|update|delete|replace|create|drop|alter)\b/i;

/** The tables that a text of SQL names, in lower case, and whether it may change them. */
export function tablesOf(sql: string): { readonly tables: ReadonlySet<string>; readonly write: boolean } {
  const tables = new Set([...sql.matchAll(TABLES)].map(([, name]) => (name as string).toLowerCase()));
  return { tables, write: WRITES.test(sql) };
}

/** How databases are named, and who is told of their tables. */
export interface SqliteTables {
  /** `path`: null for one that is in memory. */
  nameOf(database: object, path: string | null): string;
  /** A statement was run. */
  touched(api: string, database: string, sql: string): void;
}

export function sqliteTables(controller: HostRequests & HostLiveness & HostDoubts): SqliteTables {
  /** By database: what it is called; in memory, by the run that made it and its ordinal there. */
  const names = new WeakMap<object, string>();
  let memory = { root: {} as object, count: 0 };

  function nameOf(database: object, path: string | null): string {
    let name = names.get(database);
    if (name !== undefined) return name;
    const { root } = controller;
    if (path === null) memory = { root, count: memory.root === root ? memory.count + 1 : 1 };
    name = path === null ? `memory #${memory.count}` : displayPath(path);
    names.set(database, name);
    return name;
  }

  /** By run: the databases for which a clock was named. */
  let timed = { root: {} as object, databases: new Set<string>() };

  function told(database: string, sql: string): void {
    const { root } = controller;
    if (timed.root !== root) timed = { root, databases: new Set() };
    if (CLOCKS.test(sql)) timed.databases.add(database);
    if (timed.databases.has(database)) controller.otherClock('times that SQLite tells');
  }

  function touched(api: string, database: string, sql: string): void {
    told(database, sql);
    const { tables, write } = tablesOf(sql);
    const accesses = [...tables].map((table) => ({ entity: `sqlite ${database} ${table}`, write }));
    if (accesses.length > 0) touch(controller, api, [...tables].join(', '), accesses);
  }

  return { nameOf, touched };
}

type Database = { location?(): string | null };

export function wrapSqlite(
  controller: HostRequests & HostLiveness & HostDoubts,
  { nameOf, touched }: SqliteTables,
): void {
  const named = (database: Database) => nameOf(database, database.location?.() ?? null);
  /** By statement: what its database is called. */
  const names = new WeakMap<object, string>();

  whenLoaded<{ DatabaseSync?: Class; StatementSync?: Class } | undefined>('sqlite', (sqlite) => {
    const { DatabaseSync, StatementSync } = sqlite ?? {};
    if (!sqlite || !DatabaseSync || !StatementSync) return;
    wrapMethod(
      sqlite,
      'backup',
      (backup) =>
        function (this: unknown, ...args) {
          const done = backup.apply(this, args) as Promise<number>;
          if (!controller.active()) return done;
          controller.doubt('sqlite.backup');
          const over = controller.begin('sqlite.backup');
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
          if (controller.active()) names.set(statement as object, named(this));
          return statement;
        },
    );
    wrapMethod(
      DatabaseSync.prototype,
      'exec',
      (exec) =>
        function (this: Database, ...args) {
          const result = exec.apply(this, args);
          if (controller.active()) touched('sqlite.exec', named(this), String(args[0]));
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
            if (database !== undefined && controller.active())
              touched(`sqlite.${method}`, database, String(this.sourceSQL));
            return result;
          },
      );
  });
}
