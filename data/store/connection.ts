/** One open database: prepared statements, transactions, errors as one line. */
import type { Database, Statement } from 'better-sqlite3';
import type { Cell } from './cells.ts';
import { asStoreError } from './error.ts';
import { KeptRows } from './kept-rows.ts';

/** What is committed together comes so late at most, ms. */
const LATEST_MS = 100;

/** A row as an array of cells, in the order of the select. */
export type Row = readonly Cell[];

export class Connection {
  readonly db: Database;
  /** As the user gave it, for messages. */
  readonly path: string;
  /** Forgotten when a transaction fails, and when another connection wrote. */
  readonly kept = new KeptRows();
  private dataVersion: unknown;
  private readonly statements = new Map<string, Statement>();
  /** How many want transactions to be committed together. */
  private together = 0;
  /** When the first transaction began that is not committed, by `performance.now()`. */
  private begun = 0;
  /** Transactions that are under way, one within the other. */
  private depth = 0;
  /** What went wrong where nobody heard of it. */
  private failed: unknown = null;

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
    return this.guard(() =>
      this.db
        .transaction(() => {
          this.noticeOthers();
          return work();
        })
        .deferred(),
    );
  }

  /**
   * Writes in one transaction, which takes the write lock at its start: several processes queue there, and
   * none fails half-way because another one wrote in between.
   */
  write<T>(work: () => T): T {
    try {
      return this.guard(() => {
        if (this.together > 0) this.begin();
        this.depth += 1;
        try {
          return this.db
            .transaction(() => {
              this.noticeOthers();
              return work();
            })
            .immediate();
        } finally {
          this.depth -= 1;
          if (performance.now() - this.begun > LATEST_MS) this.commit();
        }
      });
    } catch (error) {
      this.kept.forgetAll();
      throw error;
    }
  }

  /**
   * Transactions of many small writes cost more than what they write. Those within `work` are committed together, now and
   * then: after a kill each is there as a whole, or missing with all behind it.
   */
  async inGroups<T>(work: () => Promise<T>): Promise<T> {
    this.together += 1;
    try {
      return await work();
    } finally {
      this.together -= 1;
      this.guard(() => this.commit());
    }
  }

  close(): void {
    try {
      this.guard(() => this.commit());
    } finally {
      this.db.close();
    }
  }

  /** Begins what the next transactions belong to, if nobody has; others have their turn soon. */
  private begin(): void {
    this.tellFailed();
    if (this.db.inTransaction) return;
    this.prepare('BEGIN IMMEDIATE').run();
    this.begun = performance.now();
    setTimeout(() => {
      try {
        this.commit();
      } catch (error) {
        this.failed = error;
      }
    }, LATEST_MS).unref();
  }

  private commit(): void {
    this.tellFailed();
    if (this.depth > 0 || !this.db.inTransaction) return;
    try {
      this.prepare('COMMIT').run();
    } catch (error) {
      // What was kept may tell of rows that are not there.
      this.kept.forgetAll();
      if (this.db.inTransaction) this.prepare('ROLLBACK').run();
      throw error;
    }
  }

  private tellFailed(): void {
    const { failed } = this;
    this.failed = null;
    if (failed !== null) throw failed;
  }

  /** SQLite changes this number when another connection has committed. */
  private noticeOthers(): void {
    const version = this.prepare('PRAGMA data_version').pluck().get();
    if (version !== this.dataVersion) this.kept.forgetAll();
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
