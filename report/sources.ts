/** The user's source lines, read when a report needs them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Text of a file named relative to the working directory; null when it cannot be read. */
export type SourceReader = (file: string) => string | null;

/** Reads each file once. A file that is gone or moved costs the excerpt, never the report. */
export function sourceReader(cwd: string): SourceReader {
  const cache = new Map<string, string | null>();
  return (file) => {
    let text = cache.get(file);
    if (text === undefined) {
      try {
        text = readFileSync(resolve(cwd, file), 'utf8');
      } catch {
        text = null;
      }
      cache.set(file, text);
    }
    return text;
  };
}

/** One line of a file, trimmed; null when there is no such line. */
export function sourceLine(read: SourceReader, file: string, line: number): string | null {
  return read(file)?.split('\n')[line - 1]?.replace(/\r$/, '').trim() || null;
}
