/** Every bundled harness, loaded once: the table of expectations that the tests read. */
import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Harness } from '../../harnesses/api.ts';
import { loadHarnesses } from '../../harnesses/load.ts';

const root = new URL('../../harnesses/', import.meta.url);

export interface Loaded {
  /** Folder below `harnesses/`, or `harnesses` itself. */
  readonly folder: string;
  readonly file: string;
  readonly harnesses: readonly Harness[];
}

/** Files that register harnesses; `lib/` and the API itself do not. */
export async function loadAll(): Promise<Loaded[]> {
  const files = globSync(['{catalogue,safe,demo,packages}/*.ts', 'needle.ts'], { cwd: fileURLToPath(root) });
  const all: Loaded[] = [];
  for (const file of files.toSorted()) {
    const url = new URL(file, root);
    const harnesses = await loadHarnesses(url);
    all.push({ folder: basename(dirname(fileURLToPath(url))), file, harnesses });
  }
  return all;
}
