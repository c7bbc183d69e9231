/** One child process as the program that started it sees it: what it has touched, and what it asks. */
import fs from 'node:fs';
import { relative } from 'node:path';
import type { Site } from '../../data/trace.ts';
import { displayPath, namesOf } from '../host/fs-paths.ts';
import type { HostAccess } from '../host/request.ts';
import type { ChildFiles, ChildNote, ChildPlace } from './protocol.ts';

const { appendFileSync, closeSync, openSync, readFileSync, readSync, rmSync, writeFileSync } = fs;
const PIECE = 1 << 16;
const LONGEST_TEXT = 80;

/** The files of a child are ours: to be used where no run is on. */
export class FollowedChild {
  readonly notes: string;
  readonly grants: string;
  /** It has begun, and tells what it touches. */
  isFollowed = false;
  /** It asks before each step. */
  asks = false;
  /** It does something of which it tells nothing. */
  isPartlyUnseen = false;
  /** What it touched without asking, by entity: whether it wrote. */
  readonly touched = new Map<string, boolean>();
  private readonly fd: number;
  private read = 0;
  private rest = '';

  constructor({ notes, grants }: ChildFiles) {
    this.notes = notes;
    this.grants = grants;
    this.fd = openSync(notes, 'a+');
  }

  /** From now on it asks. */
  beginToAsk(): void {
    if (!this.asks) writeFileSync(this.grants, '');
    this.asks = true;
  }

  /** One more of its questions is answered. */
  grant(): void {
    appendFileSync(this.grants, '.');
  }

  /** It asks nobody any more. */
  free(): void {
    this.asks = false;
    rmSync(this.grants, { force: true });
  }

  close(): void {
    this.free();
    closeSync(this.fd);
    rmSync(this.notes, { force: true });
  }

  /** What it has written since; what it touched is kept here. */
  news(): ChildNote[] {
    const buffer = Buffer.alloc(PIECE);
    for (;;) {
      const length = readSync(this.fd, buffer, 0, PIECE, this.read);
      this.read += length;
      this.rest += buffer.toString('latin1', 0, length);
      if (length < PIECE) break;
    }
    const lines = this.rest.split('\n');
    this.rest = lines.pop() ?? '';
    const notes = lines.map((line) => JSON.parse(Buffer.from(line, 'latin1').toString()) as ChildNote);
    for (const note of notes) this.take(note);
    return notes;
  }

  private take(note: ChildNote): void {
    if (note.kind === 'begun') this.isFollowed = true;
    else if (note.kind === 'unseen') this.isPartlyUnseen = true;
    else if (note.kind === 'touched')
      for (const { entity, write } of note.accesses.map(asOurs))
        this.touched.set(entity, write || this.touched.get(entity) === true);
  }
}

const TABLE = /^sqlite (.*) (\S+)$/s;
const ENTITY = /^fs:(.*?)( \(content\)| \(entries\))?$/s;

/** An entity of a child, which knows whole paths, as it is called here. */
export function asOurs({ entity, write }: HostAccess): HostAccess {
  const [, database, table] = TABLE.exec(entity) ?? [];
  if (database !== undefined) return { entity: `sqlite ${displayPath(database)} ${table}`, write };
  const [, path = '', part] = ENTITY.exec(entity) ?? [];
  const names = namesOf(path);
  const own = part === undefined ? names.entry : part.includes('content') ? names.content : names.listing;
  return { entity: own, write };
}

/** What one of its operations is about, for people. */
export const aboutAsOurs = (what: string): string => what.split(' → ').map(displayPath).join(' → ');

/** A place in its source as traces tell it. */
export function siteOf({ file, line, column, fn }: ChildPlace): Site {
  return { file: relative(process.cwd(), file), line, column, fn, text: textAt(file, line) };
}

const texts = new Map<string, string[]>();

function textAt(file: string, line: number): string {
  try {
    let lines = texts.get(file);
    if (!lines) texts.set(file, (lines = readFileSync(file, 'utf8').split('\n')));
    return (lines[line - 1] ?? '').trim().slice(0, LONGEST_TEXT);
  } catch {
    return '';
  }
}
