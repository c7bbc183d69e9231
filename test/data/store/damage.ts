/** One cell of a store changed, or one row taken away, so that SQLite itself sees nothing wrong. */
import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';

type Value = string | number | Buffer | null;

function changed(old: Value, next: (below: number) => number): Value {
  if (typeof old === 'number')
    return [-1, 0, 1, -5, 1e6, 2 ** 31, Number.MAX_SAFE_INTEGER, old + 1, old - 1][next(9)]!;
  if (typeof old === 'string')
    return [
      ...['', 'x', '[]', '{}', 'null', '[1]', '9'.repeat(20), `${old}x`, old.slice(0, -1)],
      ...[
        old.replace(/\d+/g, '99999'),
        old.replace(/"[a-z]+"/, '"zz"'),
        old.replace(/"([a-z]+)":/, '"$1x":'),
      ],
    ][next(12)]!;
  if (old === null) return [null, 1, 'x'][next(3)]!;
  const bytes = Buffer.from(old);
  if (bytes.length > 0) bytes[next(bytes.length)] = next(256);
  return [Buffer.alloc(0), bytes.subarray(0, bytes.length >> 1), bytes, Buffer.concat([old, old])][next(4)]!;
}

/** Writes a damaged copy of the store `from` to `to`; false if SQLite refused the change. */
export function damage(from: string, to: string, next: (below: number) => number): boolean {
  writeFileSync(to, readFileSync(from));
  const db = new Database(to);
  try {
    db.pragma('ignore_check_constraints = 1');
    db.pragma('foreign_keys = 0');
    const tables = (
      db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").pluck().all() as string[]
    ).filter((name) => !name.startsWith('sqlite_') && db.prepare(`SELECT 1 FROM ${name}`).get());
    const table = tables[next(tables.length)]!;
    const rows = db.prepare(`SELECT * FROM ${table}`).all() as Record<string, Value>[];
    const row = rows[next(rows.length)]!;
    const columns = Object.keys(row);
    const where = `WHERE ${columns.map((name) => `${name} IS ?`).join(' AND ')}`;
    const values = Object.values(row);
    const column = columns[next(columns.length)]!;
    if (next(6) === 0) db.prepare(`DELETE FROM ${table} ${where}`).run(...values);
    else db.prepare(`UPDATE ${table} SET ${column} = ? ${where}`).run(changed(row[column]!, next), ...values);
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError) return false;
    throw error;
  } finally {
    db.close();
  }
}
