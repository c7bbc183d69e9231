/** Reads STD traces of any length: piece by piece, checked line by line. */
import { closeSync, openSync, readSync } from 'node:fs';
import { StringDecoder } from 'node:string_decoder';
import { Checker } from './checker.ts';
import { TraceError } from './error.ts';
import { EventBuffer } from './event-buffer.ts';
import { NameTable } from './names.ts';
import { parseStdLine } from './std-line.ts';
import { MAX_THREADS, type Op, type ThreadEvents, type ThreadNames, type ThreadTrace } from './trace.ts';

const PIECE = 1 << 20;
/** No line of a trace is that long: whatever is, is no trace. */
const MAX_LINE = 1 << 16;
/** Events per chunk of {@link StdReader.chunks}. */
const CHUNK = 1 << 16;
/** Most traces are short. */
const FIRST_CAPACITY = 1024;

/** The pieces of a file as text. */
export function* piecesOf(path: string): Generator<string> {
  const file = openSync(path, 'r');
  try {
    const decoder = new StringDecoder('utf8');
    const bytes = Buffer.alloc(PIECE);
    for (let read = readSync(file, bytes); read > 0; read = readSync(file, bytes))
      yield decoder.write(bytes.subarray(0, read));
    yield decoder.end();
  } finally {
    closeSync(file);
  }
}

/**
 * The lines of a text that comes in pieces; line ends are `\n` or `\r\n`. Empty lines at the end are not
 * yielded, others are: a line's number is its place.
 */
export function* linesOf(pieces: Iterable<string>): Generator<string> {
  let rest = '';
  let empty = 0;
  let line = 0;
  const cut = (text: string): string => (text.endsWith('\r') ? text.slice(0, -1) : text);
  for (const piece of pieces) {
    const text = rest === '' ? piece : rest + piece;
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      const found = cut(text.slice(from, end));
      from = end + 1;
      line += 1;
      if (found === '') {
        empty += 1;
        continue;
      }
      for (; empty > 0; empty--) yield '';
      yield found;
    }
    rest = text.slice(from);
    if (rest.length > MAX_LINE) throw new TraceError('too long for a line of a trace', line + 1);
  }
  if (cut(rest) !== '') {
    for (; empty > 0; empty--) yield '';
    yield cut(rest);
  }
}

/** One pass over an STD text. Event `i` stands on line `i + 1`. */
export class StdReader {
  private readonly threads = new NameTable('thread', MAX_THREADS);
  private readonly entities = new NameTable('entity');
  private readonly locks = new NameTable('lock');
  private readonly channels = new NameTable('channel');
  private readonly points = new NameTable('location');
  /** What each operation's operand names. */
  private readonly tables: Readonly<Record<Op, NameTable | null>>;
  private readonly pieces: Iterable<string>;

  constructor(pieces: Iterable<string>) {
    this.pieces = pieces;
    const { entities, locks, threads, channels } = this;
    this.tables = [
      ...[entities, entities, locks, locks, locks, locks, threads, threads],
      ...[null, null, channels, channels, channels, channels],
    ] as unknown as Record<Op, NameTable | null>;
  }

  /** The names met so far; complete when the chunks are through. */
  get names(): ThreadNames {
    return {
      threads: this.threads.names,
      entities: this.entities.names,
      locks: this.locks.names,
      channels: this.channels.names,
      points: this.points.names,
      transactions: [],
    };
  }

  /** The events in chunks; each chunk is overwritten by the next. Throws a {@link TraceError}. */
  *chunks(): Generator<ThreadEvents> {
    const checker = new Checker(this.names);
    const buffer = new EventBuffer(FIRST_CAPACITY);
    let line = 0;
    for (const text of linesOf(this.pieces)) {
      line += 1;
      if (text === '') throw new TraceError('empty', line);
      const parsed = parseStdLine(text, line);
      const thread = this.threads.of(parsed.thread, line);
      const object = this.tables[parsed.op]?.of(parsed.operand, line) ?? -1;
      checker.step(parsed.op, thread, object, line);
      buffer.push(parsed.op, thread, object, this.points.of(parsed.location, line));
      if (buffer.length < CHUNK) continue;
      yield buffer.events();
      buffer.clear();
    }
    if (line === 0) throw new TraceError('holds no event');
    if (buffer.length > 0) yield buffer.events();
  }
}

/** A whole STD text. Throws a {@link TraceError}. */
export function readStd(pieces: Iterable<string>): ThreadTrace {
  const reader = new StdReader(pieces);
  const all = new EventBuffer(FIRST_CAPACITY);
  for (const chunk of reader.chunks()) all.append(chunk);
  return { events: all.events(), names: reader.names };
}

/** A whole STD file. Throws a {@link TraceError} that names it as the user did. */
export function readStdFile(path: string, name = path): ThreadTrace {
  try {
    return readStd(piecesOf(path));
  } catch (error) {
    if (error instanceof TraceError) throw new TraceError(`${name}: ${error.message}`);
    throw error;
  }
}
