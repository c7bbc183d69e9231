/**
 * Tables of databases that run their statements in the call: nothing is held, and the tables that a statement names are
 * entities. Which those are is read off the text: a name too many costs a forced order, one too few a better explanation.
 *
 * A connection is in one transaction at a time, whoever has begun it: what another task runs meanwhile becomes part of that, and is
 * undone with it. So whether one is open is an entity, which every statement reads.
 */
import { displayPath } from '../host/fs-paths.ts';
import { touch } from '../host/touch.ts';
import type { DriverHost } from './driver.ts';

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

/** How databases are named, and who is told of their tables. */
export interface SqlTables {
  /** `path`: null for one that is in memory. */
  nameOf(database: object, path: string | null): string;
  /** A statement was run. */
  touched(api: string, database: string, sql: string): void;
}

const known = new WeakMap<DriverHost, SqlTables>();

/** The same for all drivers of a process, so that each database in memory has a number of its own. */
export function sqlTables(host: DriverHost): SqlTables {
  let tables = known.get(host);
  if (!tables) known.set(host, (tables = tablesTold(host)));
  return tables;
}

function tablesTold(controller: DriverHost): SqlTables {
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
    const turns = turnsTransaction(sql);
    if (accesses.length === 0 && !turns) return;
    const transaction = { entity: `sqlite ${database} (transaction)`, write: turns };
    touch(controller, api, turns ? 'transaction' : [...tables].join(', '), [...accesses, transaction]);
  }

  return { nameOf, touched };
}
