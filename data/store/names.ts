/** Stable names of steps are long and repeat: each is stored once, lists of them as lists of ids. */
import { z } from 'zod';
import { corrupt, json, text } from './cells.ts';
import type { Connection } from './connection.ts';

const ids = z.array(z.int());

/** The id of a name, which is stored if it is new. */
export function nameId(connection: Connection, name: string): number {
  let id = connection.kept.nameIds.get(name);
  if (id === undefined) {
    connection.run('INSERT INTO step_names (name) VALUES (?) ON CONFLICT DO NOTHING', name);
    id = connection.row('SELECT id FROM step_names WHERE name = ?', name)?.[0] as number;
    connection.kept.nameIds.set(name, id);
  }
  return id;
}

/** A list of names as it is stored. */
export function packNames(connection: Connection, names: readonly string[]): string {
  return JSON.stringify(names.map((name) => nameId(connection, name)));
}

/** The reverse of {@link packNames}. */
export function unpackNames(connection: Connection, packed: unknown, what: string): string[] {
  return json(ids, packed as string, what).map(
    (id) => connection.kept.names.get(id) ?? nameOf(connection, id, what),
  );
}

function nameOf(connection: Connection, id: number, what: string): string {
  const row = connection.row('SELECT name FROM step_names WHERE id = ?', id);
  if (!row) throw corrupt(`${what} names an unknown step`);
  const name = text(row[0], what);
  connection.kept.names.set(id, name);
  return name;
}
