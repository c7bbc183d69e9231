/** Decoded events as rows, for people with the sqlite3 shell: windows around cut points, or everything. */
import type { Connection } from './connection.ts';
import { CHUNK, getEvents } from './events.ts';
import { WINDOW } from './schema/views.ts';
import type { SiteMap } from './sites.ts';

/** Events [from, to). */
export type EventRange = readonly [from: number, to: number];

/** Stretches within [0, length) around the given events, in order and apart from each other. */
export function stretches(events: readonly number[], length: number): EventRange[] {
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

/** Writes the events of ordered stretches as rows. Goes chunk by chunk, so that each is decoded once. */
export function putRows(
  connection: Connection,
  trace: number,
  map: SiteMap,
  wanted: readonly EventRange[],
): void {
  const insert = connection.prepare(
    'INSERT OR IGNORE INTO events_rows (trace, event, kind, activation, site, object) VALUES (?, ?, ?, ?, ?, ?)',
  );
  let at = 0;
  while (at < wanted.length) {
    const chunk = Math.floor((wanted[at] as EventRange)[0] / CHUNK);
    const start = chunk * CHUNK;
    const here: EventRange[] = [];
    for (; at < wanted.length && (wanted[at] as EventRange)[0] < start + CHUNK; at++)
      here.push(wanted[at] as EventRange);
    const [begin, end] = [(here[0] as EventRange)[0], (here.at(-1) as EventRange)[1]];
    for (let from = begin; from < end; from = (Math.floor(from / CHUNK) + 1) * CHUNK) {
      const to = Math.min(end, (Math.floor(from / CHUNK) + 1) * CHUNK);
      const { kind, activation, site, object } = getEvents(connection, trace, from, to);
      for (const [first, last] of here)
        for (let i = Math.max(first, from) - from; i < Math.min(last, to) - from; i++)
          insert.run(trace, from + i, kind[i], activation[i], map.toId(site[i] as number), object[i]);
    }
  }
}
