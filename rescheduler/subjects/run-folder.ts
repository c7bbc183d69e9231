/** The empty directory that each run of a harness is given; made when it is asked for, reused when clean. */
import { mkdtempSync, readdirSync, rmSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export class RunFolder {
  private path: string | null = null;

  /** The directory of the present run. */
  get(): string {
    this.path ??= mkdtempSync(join(tmpdir(), 'unweave-'));
    return this.path;
  }

  /** The same, if it has been asked for. */
  get made(): string | null {
    return this.path;
  }

  /** The run is over: empties the directory, or gives it up. */
  clean(): void {
    const { path } = this;
    if (path === null) return;
    try {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        const name = join(path, entry.name);
        // Most are files, and looking into folders is most of the work.
        if (entry.isDirectory()) rmSync(name, { recursive: true, force: true });
        else unlinkSync(name);
      }
    } catch {
      // Something still writes there, or the program removed it: the next run gets another one.
      this.path = null;
      rmSync(path, { recursive: true, force: true });
    }
  }
}
