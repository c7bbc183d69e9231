/** Opens a store: makes it if asked to, tells what is wrong with a file that is none. */
import { closeSync, existsSync, openSync, readFileSync, readSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import process from 'node:process';
import Database from 'better-sqlite3';
import { makeFolders } from '../make-folders.ts';
import { standStill } from '../stand-still.ts';
import { Connection } from './connection.ts';
import { asStoreError, StoreError } from './error.ts';
import { APPLICATION_ID, MIGRATIONS, migrate, versionOf } from './migrations.ts';
import { getMeta, isTrusted, putOrigin } from './origin.ts';
import { Store } from './store.ts';

/** Where the store is unless the user says otherwise. */
export const DEFAULT_STORE = join('.unweave', 'trace.db');

export interface OpenOptions {
  /** Make it if it is missing. */
  readonly create?: boolean;
  /** Change nothing; excludes `create`. */
  readonly readonly?: boolean;
  /** Recorded at creation: the test command. */
  readonly command?: readonly string[] | null;
  /** Recorded at creation: the directory that all files are relative to. */
  readonly cwd?: string;
  /** How long to wait for other writers, ms. */
  readonly busyMs?: number;
}

/**
 * Opens the store at `path`; every failure is a {@link StoreError}. An older one is upgraded first.
 * `migrations` is for tests.
 */
export function openStore(path: string, options: OpenOptions = {}, migrations = MIGRATIONS): Store {
  const { create = false, readonly = false, busyMs = 30_000 } = options;
  const file = resolve(path);
  // The binding trims names: it would open another file than the one that was looked at.
  if (file !== file.trim()) throw new StoreError('access', `${path}: a store's name may not end in a space`);
  if (existsSync(file)) inspect(file, path, create);
  else if (create && !readonly) makeFolder(file, path);
  else throw new StoreError('missing', `${path}: no such store`);
  let db: Database.Database | undefined;
  try {
    db = readonly ? openReadonly(file, busyMs) : new Database(file, { timeout: busyMs });
    db.pragma('foreign_keys = ON');
    // The file may come from anybody: its schema gets no say beyond tables and views.
    db.pragma('trusted_schema = OFF');
    db.pragma('cell_size_check = ON');
    const connection = new Connection(db, path);
    prepare(connection, file, options, migrations);
    const meta = getMeta(connection);
    return new Store(connection, meta, isTrusted(meta, file));
  } catch (error) {
    db?.close();
    throw asStoreError(error, path);
  }
}

function prepare(
  connection: Connection,
  file: string,
  options: OpenOptions,
  migrations: readonly string[],
): void {
  const { readonly = false } = options;
  const { db, path } = connection;
  const version = versionOf(db);
  if (version < 0) throw new StoreError('corrupt', `${path}: damaged: a schema of version ${version}`);
  if (version > migrations.length)
    throw new StoreError(
      'newer',
      `${path}: written by a newer unweave (schema ${version}; this one knows ${migrations.length})`,
    );
  if (version < migrations.length) {
    if (readonly)
      throw new StoreError(
        'older',
        `${path}: written by an older unweave; a command that writes upgrades it`,
      );
    connection.write(() => {
      // Another process may have been first: migrate looks again, under the lock.
      if (migrate(db, migrations) === 0)
        putOrigin(connection, file, options.cwd ?? process.cwd(), options.command ?? null);
    });
  }
  if (!readonly) {
    useWriteAheadLog(connection);
    // With a write-ahead log this survives the death of the process; only a power cut can take the last commits.
    db.pragma('synchronous = NORMAL');
  }
}

/** The change of the journal needs the file alone for a moment, and SQLite does not always wait for that. */
function useWriteAheadLog({ db }: Connection): void {
  for (let attempt = 0; ; attempt++)
    try {
      db.pragma('journal_mode = WAL');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== 'SQLITE_BUSY' || attempt === 200) throw error;
      standStill(5);
    }
}

/** SQLite needs a side file even to read; where it may not make one, a copy in memory is read. */
function openReadonly(file: string, timeout: number): Database.Database {
  try {
    const db = new Database(file, { readonly: true, timeout });
    db.pragma('user_version');
    return db;
  } catch (error) {
    const { code } = error as { code?: string };
    if (!code?.startsWith('SQLITE_CANTOPEN') && !code?.startsWith('SQLITE_READONLY')) throw error;
    if (sizeOf(`${file}-wal`) > 0) throw error; // without its log the file is only half of the store
    const copy = readFileSync(file);
    copy[18] = copy[19] = 1; // a memory database has no write-ahead log
    return new Database(copy, { readonly: true });
  }
}

/** The folder of a new store ignores itself in git. A folder that was there is the user's, unless it is ours by name. */
function makeFolder(file: string, path: string): void {
  const folder = dirname(file);
  try {
    const made = makeFolders(folder);
    const ignore = join(folder, '.gitignore');
    if ((made !== undefined || basename(folder) === '.unweave') && !existsSync(ignore))
      writeFileSync(ignore, '*\n');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreError(code === 'ENOSPC' ? 'full' : 'access', `${path}: cannot be created (${code})`);
  }
}

/** Looks at the first bytes before SQLite may touch a file that is not ours. */
function inspect(file: string, path: string, create: boolean): void {
  const header = Buffer.alloc(100);
  let size: number;
  try {
    const stat = statSync(file);
    if (!stat.isFile()) throw new StoreError('foreign', `${path}: not a file`);
    size = stat.size;
    const descriptor = openSync(file, 'r');
    try {
      readSync(descriptor, header, 0, header.length, 0);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (error instanceof StoreError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StoreError('access', `${path}: cannot be opened (${code})`);
  }
  const unfinished = ['-wal', '-journal'].some((end) => sizeOf(file + end) > 0);
  if (size === 0) {
    if (create || unfinished) return;
    throw new StoreError('foreign', `${path}: empty, not an Unweave store`);
  }
  const ours =
    header.toString('latin1', 0, 16) === 'SQLite format 3\0' && header.readUInt32BE(68) === APPLICATION_ID;
  if (!ours && size >= header.length) throw new StoreError('foreign', `${path}: not an Unweave store`);
  if (!ours && !'SQLite format 3\0'.startsWith(header.toString('latin1', 0, Math.min(size, 16))))
    throw new StoreError('foreign', `${path}: not an Unweave store`);
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  if (!unfinished && size < pageSize * header.readUInt32BE(28))
    throw new StoreError('truncated', `${path}: truncated; delete it and record again`);
  if (size < header.length)
    throw new StoreError('truncated', `${path}: truncated; delete it and record again`);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
