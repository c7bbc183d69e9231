/** Files of ours that are written from within a program, whatever it has put in the place of the functions of `fs`. */
import fs from 'node:fs';

// Taken before the program runs. `writeFileSync` and `appendFileSync` look these up in `fs` at each call.
const { closeSync, openSync, renameSync, writeSync } = fs;

interface OwnFile {
  readonly flag: 'w' | 'a';
  readonly mode?: number;
}

/** Writes or appends; what is appended in one piece is not mixed with that of others. */
export function writeOwn(file: string, content: string | Uint8Array, { flag, mode }: OwnFile): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const fd = openSync(file, flag, mode);
  try {
    for (let done = 0; done < bytes.byteLength; ) done += writeSync(fd, bytes, done);
  } finally {
    closeSync(fd);
  }
}

export const renameOwn = renameSync;
