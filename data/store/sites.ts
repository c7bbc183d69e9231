/** Program points are stored once for all traces; a trace keeps a map from its own indices to them. */
import type { Site } from '../trace.ts';
import { corrupt, int, text } from './cells.ts';
import { decodeColumn, encodeColumn } from './codec.ts';
import type { Connection } from './connection.ts';

/** A trace's site index ↔ the store's id; -1 ↔ null, no site. One to one. */
export interface SiteMap {
  readonly ids: Int32Array;
  toId(index: number): number | null;
  toIndex(id: unknown): number;
}

function siteMap(ids: Int32Array): SiteMap {
  let indices: Map<number, number> | null = null;
  return {
    ids,
    toId: (index) => (index < 0 ? null : (ids[index] as number)),
    toIndex(id) {
      if (id === null || id === undefined) return -1;
      indices ??= new Map(Array.from(ids, (each, at) => [each, at]));
      const index = indices.get(id as number);
      if (index === undefined) throw corrupt(`site ${String(id)} is not of this trace`);
      return index;
    },
  };
}

/** Stores the program points of a trace. */
export function putSites(
  connection: Connection,
  sites: readonly Site[],
): { map: SiteMap; packed: Uint8Array } {
  const ids = new Int32Array(sites.length);
  const seen = new Map<string, number>();
  for (const [at, { file, line, column, text: source, fn }] of sites.entries()) {
    const key = JSON.stringify([file, line, column, source, fn]);
    const nth = seen.get(key) ?? 0;
    seen.set(key, nth + 1);
    ids[at] = siteId(connection, [file, line, column, source, fn, nth]);
  }
  return { map: siteMap(ids), packed: encodeColumn(ids) };
}

/** The id of a program point, which is stored if it is new. */
function siteId(connection: Connection, values: readonly (string | number)[]): number {
  const { siteIds } = connection.kept;
  const key = JSON.stringify(values);
  let id = siteIds.get(key);
  if (id === undefined) {
    connection.run(
      'INSERT INTO sites (file, line, col, text, fn, nth) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
      ...values,
    );
    id = connection.row(
      'SELECT id FROM sites WHERE file = ? AND line = ? AND col = ? AND text = ? AND fn = ? AND nth = ?',
      ...values,
    )?.[0] as number;
    siteIds.set(key, id);
  }
  return id;
}

/** The map of a trace with `count` sites. */
export function unpackSiteMap(packed: Uint8Array, count: number): SiteMap {
  if (count < 0 || count > packed.length) throw corrupt('traces.site_map is too short');
  const ids = new Int32Array(count);
  decodeColumn(packed, ids, 0, count);
  return siteMap(ids);
}

/** The program points of a trace, in its order. */
export function getSites(connection: Connection, map: SiteMap): Site[] {
  return Array.from(map.ids, (id) => connection.kept.sites.get(id) ?? siteOf(connection, id));
}

function siteOf(connection: Connection, id: number): Site {
  const row = connection.row('SELECT file, line, col, text, fn FROM sites WHERE id = ?', id);
  if (!row) throw corrupt(`site ${id} is missing`);
  const site = {
    file: text(row[0], 'sites.file'),
    line: int(row[1], 'sites.line'),
    column: int(row[2], 'sites.col'),
    text: text(row[3], 'sites.text'),
    fn: text(row[4], 'sites.fn'),
  };
  connection.kept.sites.set(id, site);
  return site;
}
