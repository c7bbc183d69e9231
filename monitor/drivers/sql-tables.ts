/**
 * Tables of databases that run their statements in the call: nothing is held, and the tables that a statement names are
 * entities. Which those are is read off the text: a name too many costs a forced order, one too few a better explanation.
 *
 * A connection is in one transaction at a time, whoever has begun it: what another task runs meanwhile becomes part of that, and is
 * undone with it. So whether one is open is an entity, which every statement reads.
 */
import { displayPath } from '../host/fs-paths.ts';
import type { HostAccess } from '../host/request.ts';
import { touch } from '../host/touch.ts';
import type { DriverHost } from './driver.ts';
import type { SqlConnection, SqlStatement, StatementOrder } from './statement.ts';

/** The name that follows one of these words is that of a table. */
const TABLES = /\b(?:from|join|into|update|table(?:\s+if(?:\s+not)?\s+exists)?)\s+["'`[]?([\p{L}\w$.]+)/giu;
/** Where one of these is named, SQLite may look at its own clock, at once or when a row is made. */
const CLOCKS =
  /\b(?:current_(?:date|time|timestamp)|(?:date|time|datetime|julianday|unixepoch|strftime)\s*\()/i;
/** What begins or ends a transaction, by itself. */
const TRANSACTION = /^\s*(?:begin|commit|end|rollback|savepoint|release)\b[^;]*;?\s*$/i;
const WRITES = /\b(?:insert|update|delete|replace|create|drop|alter)\b/i;

/** The tables that a text of SQL names, in lower case, and whether it may change them. */
export function tablesOf(sql: string): { readonly tables: ReadonlySet<string>; readonly write: boolean } {
  const tables = new Set([...sql.matchAll(TABLES)].map(([, name]) => (name as string).toLowerCase()));
  return { tables, write: WRITES.test(sql) };
}

/** Whether a text of SQL does nothing but begin or end a transaction, or a part of one. */
export const turnsTransaction = (sql: string): boolean => TRANSACTION.test(sql);

/** A call of a driver that runs SQL. */
type SqlCall<Result> = Pick<SqlStatement<Result>, 'api' | 'sql' | 'connection' | 'run'> &
  Partial<Pick<SqlStatement, 'isText'>>;

/** Who runs statements, and tells of their tables. */
export interface SqlTables {
  run<Result>(call: SqlCall<Result>): Result;
  prepare<Result>(connection: SqlConnection, run: () => Result): Result;
  /** A connection is closed, which ends what it was amid. */
  close<Result>(connection: SqlConnection, run: () => Result): Result;
}

const known = new WeakMap<DriverHost, SqlTables>();

/** The same for all drivers of a process, so that each database in memory has a number of its own. */
export function sqlTables(host: DriverHost, order: StatementOrder | null = null): SqlTables {
  let tables = known.get(host);
  if (!tables) known.set(host, (tables = tablesTold(host, order)));
  return tables;
}

function tablesTold(controller: DriverHost, order: StatementOrder | null): SqlTables {
  /** By connection: what its database is called; in memory, by the run that made it and its ordinal there. */
  const names = new WeakMap<SqlConnection, string>();
  let memory = { root: {} as object, count: 0 };

  function nameOf(connection: SqlConnection): string {
    let name = names.get(connection);
    if (name !== undefined) return name;
    const path = connection.path();
    const { root } = controller;
    if (path === null) memory = { root, count: memory.root === root ? memory.count + 1 : 1 };
    name = path === null ? `memory #${memory.count}` : displayPath(path);
    names.set(connection, name);
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
    const accesses = accessesOf(database, sql);
    const turns = turnsTransaction(sql);
    if (accesses.length === 0 && !turns) return;
    const transaction = { entity: `sqlite ${database} (transaction)`, write: turns };
    touch(controller, api, aboutOf(sql), [...accesses, transaction]);
  }

  /** In the order of processes, where others may be at the same file. */
  function ordered<Result>(call: SqlCall<Result>): Result {
    const { api, sql, connection, run, isText = false } = call;
    // What is closed has no name, and fails.
    const path = order && attempt(() => connection.path());
    if (!order || path === undefined || path === null) return run(sql);
    const database = nameOf(connection);
    const accesses = accessesOf(database, sql);
    return order.carryOut({ api, what: aboutOf(sql), sql, connection, isText, accesses, run });
  }

  return {
    run(call) {
      const result = ordered(call);
      if (controller.active()) touched(call.api, nameOf(call.connection), call.sql);
      return result;
    },
    prepare: (connection, run) => {
      const isShared = order?.prepare && typeof attempt(() => connection.path()) === 'string';
      return isShared ? order.prepare!(connection, run) : run();
    },
    close(connection, run) {
      if (attempt(() => connection.inTransaction()) !== true) return run();
      return ordered({ api: 'sqlite.close', sql: 'rollback', connection, run });
    },
  };
}

const accessesOf = (database: string, sql: string): HostAccess[] => {
  const { tables, write } = tablesOf(sql);
  return [...tables].map((table) => ({ entity: `sqlite ${database} ${table}`, write }));
};

/** Of these accesses, those to what a part of the text names. */
export function accessesIn(accesses: readonly HostAccess[], part: string): HostAccess[] {
  const { tables, write } = tablesOf(part);
  return accesses
    .filter(({ entity }) => tables.has(entity.slice(entity.lastIndexOf(' ') + 1)))
    .map(({ entity }) => ({ entity, write }));
}

/** For people. */
function aboutOf(sql: string): string {
  if (turnsTransaction(sql)) return 'transaction';
  return [...tablesOf(sql).tables].join(', ') || sql.trim().split(/\s/, 1).join('');
}

function attempt<T>(fn: () => T): T | undefined {
  try {
    return fn();
  } catch {
    return undefined;
  }
}
