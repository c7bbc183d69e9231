/** The versions of the schema. A store's version is the number of migrations that made it. */
import type { Database } from 'better-sqlite3';
import { FIRST } from './schema/001-first.ts';
import { SECOND } from './schema/002-pauses.ts';
import { THIRD } from './schema/003-jobs.ts';
import { FOURTH } from './schema/004-orders.ts';
import { FIFTH } from './schema/005-threads.ts';
import { SIXTH } from './schema/006-evidence.ts';
import { SEVENTH } from './schema/007-observed.ts';
import { EIGHTH } from './schema/008-transactions.ts';
import { NINTH } from './schema/009-behind.ts';
import { TENTH } from './schema/010-taken-back.ts';
import { ELEVENTH } from './schema/011-runners.ts';
import { TWELFTH } from './schema/012-since.ts';
import { THIRTEENTH } from './schema/013-beside.ts';
import { VIEWS } from './schema/views.ts';

/** Append only: the position is the version. */
export const MIGRATIONS: readonly string[] = [
  FIRST,
  SECOND,
  THIRD,
  FOURTH,
  FIFTH,
  SIXTH,
  SEVENTH,
  EIGHTH,
  NINTH,
  TENTH,
  ELEVENTH,
  TWELFTH,
  THIRTEENTH,
];

/** `PRAGMA application_id` of every store: "UNWV". */
export const APPLICATION_ID = 0x554e5756;

/** The version of an open database; 0: empty. */
export function versionOf(db: Database): number {
  return db.pragma('user_version', { simple: true }) as number;
}

/**
 * Brings an open database to the newest version. Must run in a transaction: a store is never seen between
 * two versions. Returns the version that it had.
 */
export function migrate(db: Database, migrations: readonly string[] = MIGRATIONS): number {
  const before = versionOf(db);
  if (before >= migrations.length) return before;
  dropViews(db);
  for (const sql of migrations.slice(before)) db.exec(sql);
  for (const [name, select] of Object.entries(VIEWS)) db.exec(`CREATE VIEW ${name} AS ${select}`);
  db.pragma(`application_id = ${APPLICATION_ID}`);
  db.pragma(`user_version = ${migrations.length}`);
  return before;
}

function dropViews(db: Database): void {
  const names = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'view'").pluck().all() as string[];
  for (const name of names) db.exec(`DROP VIEW "${name.replaceAll('"', '""')}"`);
}
