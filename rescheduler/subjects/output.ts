/** The end of what a program under test printed. */
import type { Readable } from 'node:stream';
import { withoutOwnFrames } from '../../monitor/record/own-frames.ts';

const KEPT = 64 * 1024;
/** Of standard error by itself. */
const KEPT_ERRORS = 4 * 1024;
const LAST_LINES = 6;
/** So much of a line is shown: Node prints the line of the source that threw, which may be all of a minified file. */
const LONGEST_LINE = 300;
/** How Node prints an error that nobody handled, below the line of the source that threw it. */
export const ERROR = /^\s*(?:Uncaught )?(?:\w+\.)*\w*Error(?: \[\w+\])?: /;
/** How other programs do. */
const SAYS_ERROR = /^\W*error\b/i;
const NAMES_ERROR = /\b\w*error\b/i;
/** A runner's word that a test has passed, which may be about errors. */
const PASSED = /^\s*(?:[✓✔√]|ok\b)/;

const OF_NODE = /^\s+at (?:.* \()?node:/;

const cut = (line: string): string => (line.length > LONGEST_LINE ? `${line.slice(0, LONGEST_LINE)}…` : line);

export class OutputTail {
  private chunks: Buffer[] = [];
  private size = 0;
  private errors = Buffer.alloc(0);

  /** Keeps what a stream delivers; passes it on when `through` is given. `isErrors`: it is standard error. */
  follow(stream: Readable | null, through?: NodeJS.WritableStream | null, isErrors = false): void {
    stream?.on('data', (chunk: Buffer) => {
      through?.write(chunk);
      this.add(chunk, isErrors);
    });
    stream?.on('error', () => {});
  }

  /** Keeps what was printed. */
  add(chunk: Buffer, isErrors = false): void {
    if (isErrors) this.errors = Buffer.concat([this.errors, chunk]).subarray(-KEPT_ERRORS);
    this.chunks.push(chunk);
    this.size += chunk.length;
    if (this.size > 2 * KEPT) this.compact();
  }

  /** Forgets everything. */
  clear(): void {
    this.chunks = [];
    this.size = 0;
    this.errors = Buffer.alloc(0);
  }

  /** The last lines of standard error, without frames of Node's own or of ours: a stack ends with those that say least. */
  lastErrors(): string[] {
    const lines = withoutOwnFrames(this.errors.toString('utf8')).split('\n');
    return lines
      .map((line) => cut(line.trimEnd()))
      .filter((line) => line !== '' && !OF_NODE.test(line))
      .slice(-LAST_LINES);
  }

  /** The line that tells best what went wrong: the first that is an error, else that names one, else the last. */
  complaint(): string {
    return this.namedError() ?? cut(this.toString().trim().split('\n').at(-1)!.trim());
  }

  /** The first line that is an error, else that names one. */
  namedError(): string | null {
    const lines = this.toString().trim().split('\n').map(cut);
    const kinds = [ERROR, SAYS_ERROR, NAMES_ERROR];
    const told = kinds.flatMap((kind) => lines.filter((line) => kind.test(line) && !PASSED.test(line)))[0];
    return told?.trim() ?? null;
  }

  private compact(): void {
    const all = Buffer.concat(this.chunks).subarray(-KEPT);
    this.chunks = [all];
    this.size = all.length;
  }

  toString(): string {
    return Buffer.concat(this.chunks).subarray(-KEPT).toString('utf8');
  }
}
