/** Decoded events as rows, for people with the sqlite3 shell: windows around cut points, or everything. */
import type { Connection } from './connection.ts';
import { getEvents } from './events.ts';
import { WINDOW } from './schema/views.ts';
import type { SiteMap } from './sites.ts';

/** Stretches [from, to) within [0, length) around the given events, merged where they touch. */
export function stretches(events: readonly number[], length: number): [number, number][] {
  const merged: [number, number][] = [];
  for (const event of [...events].sort((a, b) => a - b)) {
    const from = Math.max(0, event - WINDOW);
    const to = Math.min(length, event + WINDOW + 1);
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else if (from < to) merged.push([from, to]);
  }
  return merged;
}

/** Writes events [from, to) of a trace as rows. */
export function putRows(connection: Connection, trace: number, map: SiteMap, from: number, to: number): void {
  const { kind, activation, site, object, length } = getEvents(connection, trace, from, to);
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO events_rows (trace, event, kind, activation, site, object) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (let i = 0; i < length; i++)
    insert.run(trace, from + i, kind[i], activation[i], map.toId(site[i] as number), object[i]);
}
