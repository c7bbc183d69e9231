/** A folder with what the slices of the laboratory found, one file for each. */
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const SLICE = fileURLToPath(new URL('./slice.ts', import.meta.url));

/** Runs a part in a process of its own, which writes what it finds to `file`. */
export async function inProcess(part: string, options: object, file: string): Promise<void> {
  const args = ['--no-warnings', SLICE, part, JSON.stringify(options), file];
  await promisify(execFile)(process.execPath, args);
}

export class Folder {
  private readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  file(name: string): string {
    return join(this.path, `${name}.json`);
  }

  /** Runs a part, unless it was done before. */
  async fill(name: string, part: string, options: object): Promise<void> {
    const file = this.file(name);
    if (existsSync(file)) return;
    const unfinished = join(this.path, `${name}.tmp`);
    await inProcess(part, options, unfinished);
    renameSync(unfinished, file);
  }

  /** All files whose names begin like this, added up. */
  sum<T>(begin: string, add: (a: T, b: T) => T, nothing: T): T {
    return readdirSync(this.path)
      .filter((name) => name.startsWith(begin) && name.endsWith('.json'))
      .map((name) => JSON.parse(readFileSync(join(this.path, name), 'utf8')) as T)
      .reduce(add, nothing);
  }
}
