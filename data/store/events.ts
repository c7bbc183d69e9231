/** Event columns as chunks; the index row of a chunk says which events it holds. */
import { crc32 } from 'node:zlib';
import { type EventColumns, EventKind, type Trace } from '../trace.ts';
import { blob, corrupt, index, int } from './cells.ts';
import { decodeColumn, encodeColumn } from './codec.ts';
import type { Connection } from './connection.ts';

/** Events per chunk. */
export const CHUNK = 65_536;

const COLUMNS = ['kind', 'activation', 'site', 'object'] as const;

interface Chunk {
  readonly chunk: number;
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly crc: number;
  readonly blobs: readonly Uint8Array[];
}

const checksum = (blobs: readonly Uint8Array[]): number => blobs.reduce((crc, bytes) => crc32(bytes, crc), 0);

/** Encodes all events: outside the transaction, which others wait for. */
export function encodeEvents(events: EventColumns): Chunk[] {
  const chunks: Chunk[] = [];
  for (let first = 0; first < events.length; first += CHUNK) {
    const end = Math.min(first + CHUNK, events.length);
    const blobs = COLUMNS.map((column) => encodeColumn(events[column], first, end));
    const bytes = blobs.reduce((sum, each) => sum + each.length, 0);
    chunks.push({ chunk: chunks.length, first, last: end - 1, bytes, crc: checksum(blobs), blobs });
  }
  return chunks;
}

/** Stores the chunks of a trace. */
export function putChunks(connection: Connection, trace: number, chunks: readonly Chunk[]): void {
  for (const { chunk, first, last, bytes, crc, blobs } of chunks)
    connection.run(
      `INSERT INTO event_chunks (trace, chunk, first, last, bytes, crc, ${COLUMNS.join(', ')})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      trace,
      chunk,
      first,
      last,
      bytes,
      crc,
      ...blobs,
    );
}

/** The events [from, to) of a trace; only the chunks that hold them are decoded. */
export function getEvents(connection: Connection, trace: number, from: number, to: number): EventColumns {
  const chunks = connection
    .rows(
      `SELECT first, last, crc, ${COLUMNS.join(', ')} FROM event_chunks
       WHERE trace = ? AND last >= ? AND first < ? ORDER BY chunk`,
      trace,
      from,
      to,
    )
    .map((row) => readChunk(row));
  let next = Math.floor(from / CHUNK) * CHUNK;
  for (const { first, last } of chunks) {
    if (first !== next) throw corrupt(`event chunk at ${next} is missing`);
    next = last + 1;
  }
  if (next < to) throw corrupt(`event chunk at ${next} is missing`);
  const start = chunks[0]?.first ?? 0;
  const all = columns(next - start);
  for (const { first, last, blobs } of chunks)
    for (const [at, column] of COLUMNS.entries())
      decodeColumn(blobs[at] as Uint8Array, all[column], first - start, last - first + 1);
  return {
    length: to - from,
    kind: all.kind.subarray(from - start, to - start),
    activation: all.activation.subarray(from - start, to - start),
    site: all.site.subarray(from - start, to - start),
    object: all.object.subarray(from - start, to - start),
  };
}

function columns(length: number): EventColumns {
  return {
    length,
    kind: new Uint8Array(length),
    activation: new Int32Array(length),
    site: new Int32Array(length),
    object: new Int32Array(length),
  };
}

/** Checks what an index row promises before anything is allocated for it: an event takes a byte per column. */
function readChunk(row: readonly unknown[]): { first: number; last: number; blobs: Uint8Array[] } {
  const cells = row as readonly (number | Uint8Array)[];
  const first = int(cells[0], 'event_chunks.first');
  const last = index(cells[1], first, first + CHUNK, 'event_chunks.last');
  const blobs = COLUMNS.map((column, at) => blob(cells[3 + at], `event_chunks.${column}`));
  if (blobs.some((bytes) => bytes.length < last - first + 1)) throw corrupt('event chunk is truncated');
  if (checksum(blobs) !== cells[2]) throw corrupt('event chunk has a wrong checksum');
  return { first, last, blobs };
}

/** What a trace's events must stay within. */
export type EventTables = Pick<
  Trace,
  'activations' | 'sites' | 'entities' | 'locks' | 'requests' | 'jobs' | 'conditions'
>;

/** Which table `object` of an event of each kind is an index into. */
const TABLE_OF: Readonly<Record<EventKind, keyof EventTables>> = {
  [EventKind.Read]: 'entities',
  [EventKind.Write]: 'entities',
  [EventKind.Acquire]: 'locks',
  [EventKind.Release]: 'locks',
  [EventKind.Issue]: 'requests',
  [EventKind.Effect]: 'requests',
  [EventKind.Turn]: 'requests',
  [EventKind.Job]: 'jobs',
  [EventKind.Wait]: 'conditions',
};

/** The first event that points outside its tables, as a sentence; null when all is well. */
export function strayEvent(events: EventColumns, tables: EventTables): string | null {
  const limits = Object.values(TABLE_OF).map((table) => tables[table].length);
  const { kind, activation, site, object, length } = events;
  for (let i = 0; i < length; i++) {
    const limit = limits[kind[i] as number];
    if (limit === undefined) return `event ${i} has the unknown kind ${kind[i]}`;
    if ((object[i] as number) < 0 || (object[i] as number) >= limit)
      return `event ${i} of kind ${kind[i]} has object ${object[i]} of ${limit}`;
    if ((activation[i] as number) < -1 || (activation[i] as number) >= tables.activations.length)
      return `event ${i} has activation ${activation[i]} of ${tables.activations.length}`;
    if ((site[i] as number) < -1 || (site[i] as number) >= tables.sites.length)
      return `event ${i} has site ${site[i]} of ${tables.sites.length}`;
  }
  return null;
}
