/**
 * Directories for runs: used again, so that thousands of runs stay cheap. What a run left there is taken away; only
 * where it changed something that programs find, all is made anew.
 */
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporary } from '../temporary.ts';
import { prepare } from './operations/files.ts';

/** Runs that are over may still be at work in theirs. */
const DIRECTORIES = 16;

export class Directories {
  private readonly root = temporary('unweave-lab');
  /** What was there when they were made, by path. */
  private readonly made = new Map<string, ReadonlyMap<string, string>>();
  private n = 0;

  /** A directory with the files that programs find. */
  fresh(): string {
    // What tells requests apart takes such names for random: no plan depends on the number.
    const number = String(this.n++ % DIRECTORIES).padStart(6, '0');
    const directory = join(this.root, `run-${number}`, 'lab');
    if (!this.restored(directory)) {
      rmSync(directory, { recursive: true, force: true });
      mkdirSync(directory, { recursive: true });
      prepare(directory);
      this.made.set(directory, inside(directory));
    }
    return directory;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  /** Takes away what is new; false where something has changed. */
  private restored(directory: string): boolean {
    const made = this.made.get(directory);
    if (!made) return false;
    const present = inside(directory);
    for (const [path, state] of made) if (present.get(path) !== state) return false;
    for (const path of present.keys()) if (!made.has(path)) rmSync(path, { recursive: true, force: true });
    return true;
  }
}

/** All that is inside, by path; of files what shows whether they were changed. */
function inside(directory: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const { ino, mode, ctimeMs } = lstatSync(path);
    found.set(path, entry.isDirectory() ? `${ino} ${mode}` : `${ino} ${mode} ${ctimeMs}`);
  }
  return found;
}
