/** One open database: prepared statements, transactions, errors as one line. */
import type { Database, Statement } from 'better-sqlite3';
import type { Cell } from './cells.ts';
import { asStoreError } from './error.ts';

/** A row as an array of cells, in the order of the select. */
export type Row = readonly Cell[];

export class Connection {
  readonly db: Database;
  /** As the user gave it, for messages. */
  readonly path: string;
  /** Ids of step names; dropped when a transaction fails, and when another connection wrote. */
  readonly nameIds = new Map<string, number>();
  private dataVersion: unknown;
  private readonly statements = new Map<string, Statement>();

  constructor(db: Database, path: string) {
    this.db = db;
    this.path = path;
  }

  /** Runs a statement that returns nothing. */
  run(sql: string, ...values: unknown[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.prepare(sql).run(...values);
    return { changes, id: Number(lastInsertRowid) };
  }

  /** All rows. */
  rows(sql: string, ...values: unknown[]): Row[] {
    return this.prepare(sql)
      .raw()
      .all(...values) as Row[];
  }

  /** The first row. */
  row(sql: string, ...values: unknown[]): Row | undefined {
    return this.prepare(sql)
      .raw()
      .get(...values) as Row | undefined;
  }

  /** A prepared statement; each text is prepared once. */
  prepare(sql: string): Statement {
    let statement = this.statements.get(sql);
    if (!statement) {
      statement = this.db.prepare(sql);
      this.statements.set(sql, statement);
    }
    return statement;
  }

  /** Reads in one transaction: all of it sees one state of the store. */
  read<T>(work: () => T): T {
    return this.guard(() => this.db.transaction(work).deferred());
  }

  /**
   * Writes in one transaction, which takes the write lock at its start: several processes queue there, and
   * none fails half-way because another one wrote in between.
   */
  write<T>(work: () => T): T {
    try {
      return this.guard(() =>
        this.db
          .transaction(() => {
            this.noticeOthers();
            return work();
          })
          .immediate(),
      );
    } catch (error) {
      this.nameIds.clear();
      throw error;
    }
  }

  /** SQLite changes this number when another connection has committed. */
  private noticeOthers(): void {
    const version = this.db.pragma('data_version', { simple: true });
    if (version !== this.dataVersion) this.nameIds.clear();
    this.dataVersion = version;
  }

  private guard<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw asStoreError(error, this.path);
    }
  }
}
