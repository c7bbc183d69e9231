/**
 * Each statement that a child runs on a file of a database becomes a step, as its operations on files do. Locks are those of SQLite:
 * a statement that meets one is told as done, having changed nothing, and asked for again when that may be gone. So a process that
 * stands still amid a transaction keeps nobody waiting in a call, and no time-out runs.
 */
import type { DriverHost } from '../drivers/driver.ts';
import { partsOf } from '../drivers/sql-parts.ts';
import { accessesIn, turnsTransaction } from '../drivers/sql-tables.ts';
import {
  impatiently,
  metLock,
  type SqlConnection,
  type SqlStatement,
  type StatementOrder,
} from '../drivers/statement.ts';
import { PassThroughController } from '../host/pass-through.ts';
import { callerPlace } from './caller.ts';
import type { ChildNotes } from './notes.ts';

/** What drivers tell in a child: all of it goes to the {@link ChildStatements}. */
export class ChildDrivers extends PassThroughController implements DriverHost {
  private readonly notes: ChildNotes;

  constructor(notes: ChildNotes) {
    super();
    this.notes = notes;
  }

  active(): boolean {
    return true;
  }

  issue(): void {}
  drain(): void {}

  override doubt(what = 'a driver'): void {
    this.notes.tell({ kind: 'unseen', what });
  }
}

export class ChildStatements implements StatementOrder {
  private readonly notes: ChildNotes;
  private readonly went: () => void;
  /** Connections that have read something since their transaction began: SQLite lets these wait for no lock but at its end. */
  private readonly reading = new WeakSet<SqlConnection>();

  /** `went`: it goes on behind a step. */
  constructor(notes: ChildNotes, went: () => void) {
    this.notes = notes;
    this.went = went;
  }

  carryOut<Result>(statement: SqlStatement<Result>): Result {
    const { notes } = this;
    const { sql, isText } = statement;
    if (notes.isOurs) return statement.run(sql);
    const parts = isText ? partsOf(sql) : [sql];
    if (!parts) return this.unforeseen(statement);
    let result: Result;
    for (const part of parts) result = this.one(statement, part, parts.length > 1);
    return result!;
  }

  private one<Result>(statement: SqlStatement<Result>, sql: string, isPart: boolean): Result {
    const { notes } = this;
    const { connection } = statement;
    const accesses = isPart ? accessesIn(statement.accesses, sql) : statement.accesses;
    const waits = this.natively(() => patienceOf(connection));
    for (let again = false; notes.isAsked; again = true) {
      const { api, what } = statement;
      const place = callerPlace(true);
      const at = place === 'loader' ? null : place;
      const n = notes.ask({ api, what, at, ...(again && { again }) });
      if (n === 0) break;
      const before = isAmid(connection);
      const done = this.natively(() => tried(() => impatient(connection, waits, () => statement.run(sql))));
      const isHeld = 'error' in done && metLock(done.error) && waits > 0 && this.mayWait(connection, sql);
      const releases = before && !isAmid(connection);
      notes.tell({ kind: 'done', n, accesses: isHeld ? [] : accesses, ...(releases && { releases }) });
      if (isHeld) continue;
      this.went();
      this.note(connection, accesses.length > 0 && 'result' in done);
      if ('error' in done) throw done.error;
      return done.result;
    }
    notes.touch(accesses);
    try {
      return this.natively(() => statement.run(sql));
    } finally {
      this.note(connection, accesses.length > 0);
    }
  }

  /** It is not known how far it came when it meets a lock: that is SQLite's affair, and nothing that follows is proof. */
  private unforeseen<Result>({ accesses, run, sql }: SqlStatement<Result>): Result {
    const { notes } = this;
    notes.touch(accesses);
    try {
      return this.natively(() => run(sql));
    } catch (error) {
      if (metLock(error) && notes.isAsked) notes.leave();
      throw error;
    }
  }

  /** SQLite waits where the connection holds nothing yet, and for those that read when it commits. */
  private mayWait(connection: SqlConnection, sql: string): boolean {
    return turnsTransaction(sql) || !this.reading.has(connection);
  }

  private note(connection: SqlConnection, hasRead: boolean): void {
    if (!isAmid(connection)) this.reading.delete(connection);
    else if (hasRead) this.reading.add(connection);
  }

  private natively<T>(fn: () => T): T {
    const { notes } = this;
    const before = notes.isOurs;
    notes.isOurs = true;
    try {
      return fn();
    } finally {
      notes.isOurs = before;
    }
  }
}

type OfStatement<T> = { readonly result: T } | { readonly error: unknown };

function tried<T>(fn: () => T): OfStatement<T> {
  try {
    return { result: fn() };
  } catch (error) {
    return { error };
  }
}

const impatient = <T>(connection: SqlConnection, patience: number, fn: () => T): T =>
  patience > 0 ? impatiently(connection, patience, fn) : fn();

function patienceOf(connection: SqlConnection): number {
  const told = tried(() => connection.patience());
  return 'result' in told ? told.result : 0;
}

function isAmid(connection: SqlConnection): boolean {
  const told = tried(() => connection.inTransaction());
  return 'result' in told && told.result;
}
