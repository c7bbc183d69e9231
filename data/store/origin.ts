/**
 * Who made a store, where and for which command. A store is trusted only if this user made this very file:
 * the user's id, the file's owner, its inode and its time of birth must be those recorded at creation, so
 * a store that came with a clone, an archive or a copy never gets to run the command that it names.
 */
import { statSync } from 'node:fs';
import process from 'node:process';
import { z } from 'zod';
import { json } from './cells.ts';
import type { Connection } from './connection.ts';

const metaSchema = z.object({
  /** Id of the user who made it; -1 where the system has none. */
  uid: z.int(),
  /** Identity of the file at creation. */
  identity: z.string(),
  /** Working directory of the analysis. */
  cwd: z.string(),
  /** The test command; null: none was given. */
  command: z.array(z.string()).nullable(),
  /** Version of Node that made it. */
  node: z.string(),
});
export type Meta = z.infer<typeof metaSchema>;

const userId = (): number => process.getuid?.() ?? -1;

function identityOf(path: string): string {
  const { ino, birthtimeNs } = statSync(path, { bigint: true });
  return `${ino}:${birthtimeNs}`;
}

/** Writes the origin of a store that was just made. */
export function putOrigin(
  connection: Connection,
  path: string,
  cwd: string,
  command: readonly string[] | null,
): void {
  const meta: Meta = {
    uid: userId(),
    identity: identityOf(path),
    cwd,
    command: command && [...command],
    node: process.version,
  };
  for (const [key, value] of Object.entries(meta)) putMeta(connection, key, value);
}

export function putMeta(connection: Connection, key: string, value: unknown): void {
  connection.run(
    'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
    key,
    JSON.stringify(value),
  );
}

export function getMeta(connection: Connection): Meta {
  const object = connection.row('SELECT json_group_object(key, json(value)) FROM meta')?.[0];
  return json(metaSchema, object, 'meta');
}

/** A value that a command keeps for the next one; undefined: there is none, or none that is JSON. */
export function getNote(connection: Connection, key: string): unknown {
  const cell = connection.row('SELECT value FROM meta WHERE key = ?', key)?.[0];
  try {
    return typeof cell === 'string' ? JSON.parse(cell) : undefined;
  } catch {
    return undefined;
  }
}

/** True when this user made this file. */
export function isTrusted(meta: Meta, path: string): boolean {
  const user = userId();
  if (meta.uid !== user) return false;
  if (user !== -1 && statSync(path).uid !== user) return false;
  return meta.identity === identityOf(path);
}
