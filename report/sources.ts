/** The user's source lines, read when a report needs them. */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { shortenAround } from './layout.ts';
import type { Place } from './view.ts';

/** Text of a file named relative to the working directory; null when it cannot be read. */
export type SourceReader = (file: string) => string | null;

/** Of what people write. */
const LARGEST = 16 * 1024 * 1024;

/** Reads each file once. A file that is gone or moved costs the excerpt, never the report. */
export function sourceReader(cwd: string): SourceReader {
  const cache = new Map<string, string | null>();
  return (file) => {
    let text = cache.get(file);
    if (text === undefined) {
      try {
        const path = resolve(cwd, file);
        const found = statSync(path);
        // Maps may name anything.
        text = found.isFile() && found.size <= LARGEST ? readFileSync(path, 'utf8') : null;
      } catch {
        text = null;
      }
      cache.set(file, text);
    }
    return text;
  };
}

/** One line of a file, trimmed, of at most `width` characters; null when there is no such line. */
export function sourceLine(
  read: SourceReader,
  { file, line, column }: Place,
  width = Number.POSITIVE_INFINITY,
): string | null {
  const text = read(file)?.split('\n')[line - 1] ?? '';
  const margin = text.length - text.trimStart().length;
  return shortenAround(text.trim(), column - 1 - margin, width) || null;
}
