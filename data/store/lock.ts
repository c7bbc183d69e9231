/**
 * One analysis at a time writes a store. The lock is one that the system takes back when its holder dies in
 * any way, so that a killed command never blocks the next one: SQLite's own, on an empty database beside the
 * store, because the store itself must stay readable and open to recording processes.
 */
import Database from 'better-sqlite3';
import { asStoreError, StoreError } from './error.ts';

/** Held until it is released. */
export interface StoreLock {
  release(): void;
}

/** Takes the lock of the store at `file`, which must exist; `path` is what the user calls it. */
export function lockStore(file: string, path: string): StoreLock {
  let db: Database.Database | undefined;
  try {
    db = new Database(`${file}-lock`, { timeout: 0 });
    // In a write-ahead log a writer would not lock the file; memory, so that nothing is left beside it.
    db.pragma('journal_mode = MEMORY');
    db.pragma('locking_mode = EXCLUSIVE');
    db.exec('BEGIN EXCLUSIVE');
    const held = db;
    return { release: () => held.close() };
  } catch (error) {
    db?.close();
    const told = asStoreError(error, path);
    if (told instanceof StoreError && told.code === 'busy')
      throw new StoreError(
        'busy',
        `${path}: another unweave is writing it; wait for its end or give another --store`,
        { cause: error },
      );
    throw told;
  }
}
