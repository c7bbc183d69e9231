/** Directories for runs: emptied and used again, so that thousands of runs stay cheap. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepare } from './operations/files.ts';

export class Directories {
  private readonly root = mkdtempSync(join(tmpdir(), 'unweave-lab-'));
  private n = 0;

  /** A directory with the files that programs find. */
  fresh(): string {
    const directory = join(this.root, String(this.n++ % 16), 'lab');
    rmSync(directory, { recursive: true, force: true });
    mkdirSync(directory, { recursive: true });
    prepare(directory);
    return directory;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
