/** Which files the user means by a path. */
import { readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { SubjectError } from './protocol.ts';

export interface FoundFile {
  readonly file: string;
  /** Named by the user itself, not found in a folder. */
  readonly named: boolean;
}

const SOURCE = /(?<!\.d)\.[cm]?[jt]s$/;

/** Source files under the paths, in order, each once; folders are walked, but not node_modules and hidden ones. */
export function findHarnessFiles(paths: readonly string[], cwd: string): FoundFile[] {
  const found = new Map<string, boolean>();
  const walk = (folder: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      if (entry.isDirectory()) walk(path);
      else if (SOURCE.test(entry.name) && !found.has(path)) found.set(path, false);
    }
  };
  for (const path of paths) {
    const full = resolve(cwd, path);
    const stat = statSync(full, { throwIfNoEntry: false });
    if (!stat) throw new SubjectError(`${path}: no such file or folder`, true);
    if (stat.isDirectory()) walk(full);
    else found.set(full, true);
  }
  if (found.size === 0)
    throw new SubjectError(
      `no source files in ${paths.map((p) => relative(cwd, resolve(cwd, p)) || '.').join(', ')}`,
      true,
    );
  return [...found].map(([file, named]) => ({ file, named }));
}
