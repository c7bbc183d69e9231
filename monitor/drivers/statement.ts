/** A statement that is about to run on a database, as whoever orders processes has to know it. */
import type { HostAccess } from '../host/request.ts';

/** One connection to a database. Nothing of this shows in the program. */
export interface SqlConnection {
  /** The file; null: it is in memory. Throws where the connection is closed. */
  path(): string | null;
  /** For how long a statement waits for the locks of others, ms. */
  patience(): number;
  beImpatient(ms: number): void;
  inTransaction(): boolean;
}

export interface SqlStatement<Result = unknown> {
  readonly api: string;
  /** For people. */
  readonly what: string;
  readonly sql: string;
  readonly connection: SqlConnection;
  /** It was given as a text, of perhaps more than one statement. */
  readonly isText: boolean;
  /** The tables that it touches. */
  readonly accesses: readonly HostAccess[];
  run(sql: string): Result;
}

/** Who says when statements run. */
export interface StatementOrder {
  carryOut<Result>(statement: SqlStatement<Result>): Result;
  /** What only looks at how the database is made, and may meet a lock all the same. */
  prepare?<Result>(connection: SqlConnection, run: () => Result): Result;
}

/** It has met a lock of somebody else, and has changed nothing: SQLite would have gone on waiting for it. */
export function metLock(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  // What has read an older state may not write: no wait helps.
  if (code === 'SQLITE_BUSY_SNAPSHOT' || errcode === BUSY_SNAPSHOT) return false;
  if (typeof errcode === 'number') return (errcode & 0xff) === BUSY;
  return typeof code === 'string' && /^SQLITE_BUSY/.test(code);
}

const BUSY = 5;
const BUSY_SNAPSHOT = BUSY | (2 << 8);

/** Runs something that waits for nobody's lock. */
export function impatiently<T>(connection: SqlConnection, patience: number, fn: () => T): T {
  connection.beImpatient(0);
  try {
    return fn();
  } finally {
    bePatient(connection, patience);
  }
}

function bePatient(connection: SqlConnection, patience: number): void {
  try {
    connection.beImpatient(patience);
  } catch {
    // It was closed.
  }
}
