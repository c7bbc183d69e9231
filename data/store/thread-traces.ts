/** Traces of threads of any length: written and read in chunks, never held as a whole. */
import { crc32 } from 'node:zlib';
import { EventBuffer } from '../threads/event-buffer.ts';
import { Op, type ThreadEvents, type ThreadNames } from '../threads/trace.ts';
import { blob, corrupt, index, int, text } from './cells.ts';
import { decodeColumn, encodeColumn } from './codec.ts';
import type { Connection } from './connection.ts';

/** Most events of a chunk. */
const CHUNK = 65_536;
const COLUMNS = ['op', 'thread', 'object', 'point'] as const;
const LISTS = ['threads', 'entities', 'locks', 'channels', 'points', 'transactions'] as const;
type ListName = (typeof LISTS)[number];

/** Which list `object` of an event of each kind is an index into. */
const LIST_OF: Readonly<Record<Op, ListName | null>> = {
  [Op.Read]: 'entities',
  [Op.Write]: 'entities',
  [Op.Acquire]: 'locks',
  [Op.Release]: 'locks',
  [Op.AcquireShared]: 'locks',
  [Op.ReleaseShared]: 'locks',
  [Op.Fork]: 'threads',
  [Op.Join]: 'threads',
  [Op.Begin]: 'transactions',
  [Op.End]: null,
  [Op.Send]: 'channels',
  [Op.Receive]: 'channels',
  [Op.Arrive]: 'channels',
  [Op.Leave]: 'channels',
};

/** A trace that can be read again and again, in chunks. */
export interface StoredThreadTrace {
  readonly name: string;
  readonly counts: Readonly<Record<ListName | 'events', number>>;
  readonly names: () => ThreadNames;
  /** Each chunk is overwritten by the next. */
  readonly chunks: () => Generator<ThreadEvents>;
}

/** Where a trace comes from; `names` is asked for when the chunks are through. */
export interface ThreadTraceSource {
  readonly names: ThreadNames;
  chunks(): Iterable<ThreadEvents>;
}

/** Stores a trace under a name, in the place of an earlier one with all that was derived from it. */
export function putThreadTrace(connection: Connection, name: string, source: ThreadTraceSource): void {
  connection.write(() => {
    connection.run('DELETE FROM thread_traces WHERE name = ?', name);
    const { id } = connection.run(
      `INSERT INTO thread_traces (name, events, ${LISTS.join(', ')}) VALUES (?, 0${', 0'.repeat(LISTS.length)})`,
      name,
    );
    const insert = connection.prepare(
      `INSERT INTO thread_chunks (trace, chunk, first, last, bytes, crc, ${COLUMNS.join(', ')})
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
    let events = 0;
    let chunk = 0;
    for (const piece of source.chunks())
      for (let from = 0; from < piece.length; from += CHUNK) {
        const to = Math.min(piece.length, from + CHUNK);
        const blobs = COLUMNS.map((column) => encodeColumn(piece[column], from, to));
        const bytes = blobs.reduce((sum, each) => sum + each.length, 0);
        insert.run(id, chunk++, events, events + to - from - 1, bytes, checksum(blobs), ...blobs);
        events += to - from;
      }
    const { names } = source;
    const insertName = connection.prepare(
      'INSERT INTO thread_names (trace, list, idx, name) VALUES (?, ?, ?, ?)',
    );
    for (const list of LISTS)
      for (const [at, each] of names[list].entries()) insertName.run(id, list, at, each);
    connection.run(
      `UPDATE thread_traces SET events = ?, ${LISTS.map((list) => `${list} = ?`).join(', ')} WHERE id = ?`,
      events,
      ...LISTS.map((list) => names[list].length),
      id,
    );
  });
}

/** The names of the traces that are stored. */
export function threadTraceNames(connection: Connection): string[] {
  return connection
    .rows('SELECT name FROM thread_traces ORDER BY id')
    .map(([name]) => text(name, 'thread_traces.name'));
}

export function getThreadTrace(connection: Connection, name: string): StoredThreadTrace | null {
  const row = connection.row(
    `SELECT id, events, ${LISTS.join(', ')} FROM thread_traces WHERE name = ?`,
    name,
  );
  if (!row) return null;
  const id = int(row[0], 'thread_traces.id');
  const counts = Object.fromEntries(
    (['events', ...LISTS] as const).map((each, at) => [
      each,
      index(row[1 + at], 0, Number.MAX_SAFE_INTEGER, `thread_traces.${each}`),
    ]),
  ) as StoredThreadTrace['counts'];
  return {
    name,
    counts,
    names: () => readNames(connection, id, counts),
    chunks: () => readChunks(connection, id, counts),
  };
}

function readNames(connection: Connection, trace: number, counts: StoredThreadTrace['counts']): ThreadNames {
  const all = LISTS.map((list) => {
    const rows = connection.rows(
      'SELECT name FROM thread_names WHERE trace = ? AND list = ? ORDER BY idx',
      trace,
      list,
    );
    if (rows.length !== counts[list])
      throw corrupt(`thread_names has ${rows.length} of ${counts[list]} ${list}`);
    return [list, rows.map(([name]) => text(name, 'thread_names.name'))];
  });
  return Object.fromEntries(all) as unknown as ThreadNames;
}

/** One chunk after the other, by key: no statement stays open between them. */
function* readChunks(
  connection: Connection,
  trace: number,
  counts: StoredThreadTrace['counts'],
): Generator<ThreadEvents> {
  const buffer = {
    op: new Uint8Array(CHUNK),
    thread: new Uint16Array(CHUNK),
    object: new Int32Array(CHUNK),
    point: new Int32Array(CHUNK),
  };
  const limits = Int32Array.from(Object.values(LIST_OF), (list) => (list === null ? 0 : counts[list]));
  for (let next = 0, chunk = 0; next < counts.events; chunk++) {
    const row = connection.read(() =>
      connection.row(
        `SELECT first, last, crc, ${COLUMNS.join(', ')} FROM thread_chunks WHERE trace = ? AND chunk = ?`,
        trace,
        chunk,
      ),
    );
    if (!row || row[0] !== next) throw corrupt(`thread chunk at ${next} is missing`);
    const last = index(row[1], next, Math.min(next + CHUNK, counts.events), 'thread_chunks.last');
    const blobs = COLUMNS.map((column, at) => blob(row[3 + at], `thread_chunks.${column}`));
    if (checksum(blobs) !== row[2]) throw corrupt('thread chunk has a wrong checksum');
    const length = last - next + 1;
    for (const [at, column] of COLUMNS.entries()) decodeColumn(blobs[at]!, buffer[column], 0, length);
    const events = {
      length,
      op: buffer.op.subarray(0, length),
      thread: buffer.thread.subarray(0, length),
      object: buffer.object.subarray(0, length),
      point: buffer.point.subarray(0, length),
    };
    if (strays(events, limits, counts)) throw corrupt('thread chunk points outside the tables');
    yield events;
    next = last + 1;
  }
}

/** Whether an event names something that there is not. */
function strays(
  { length, op, thread, object, point }: ThreadEvents,
  limits: Int32Array,
  counts: StoredThreadTrace['counts'],
): boolean {
  for (let i = 0; i < length; i++) {
    if (op[i]! >= limits.length || thread[i]! >= counts.threads) return true;
    if (point[i]! < 0 || point[i]! >= counts.points) return true;
    const limit = limits[op[i]!]!;
    if (object[i]! >= limit || object[i]! < (op[i] === Op.Begin || op[i] === Op.End ? -1 : 0)) return true;
  }
  return false;
}

/** All events of a trace at once. */
export function collect(trace: StoredThreadTrace): ThreadEvents {
  const all = new EventBuffer(Math.max(1, trace.counts.events));
  for (const chunk of trace.chunks()) all.append(chunk);
  return all.events();
}

const checksum = (blobs: readonly Uint8Array[]): number => blobs.reduce((crc, bytes) => crc32(bytes, crc), 0);
