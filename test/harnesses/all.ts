/** Every bundled harness, loaded once: the table of expectations that the tests read. */
import { globSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Harness, ThreadHarness } from '../../harnesses/api.ts';
import { loadHarnesses, loadThreadHarnesses } from '../../harnesses/load.ts';

const root = new URL('../../harnesses/', import.meta.url);

export interface Loaded {
  /** Folder below `harnesses/`, or `harnesses` itself. */
  readonly folder: string;
  readonly file: string;
  readonly harnesses: readonly Harness[];
}

/** Files that register harnesses; `lib/` and the API itself do not. */
export async function loadAll(): Promise<Loaded[]> {
  const files = globSync(['{catalogue,safe,demo,ftp,packages}/*.ts', 'needle.ts'], {
    cwd: fileURLToPath(root),
  });
  const all: Loaded[] = [];
  for (const file of files.toSorted()) {
    const url = new URL(file, root);
    const harnesses = await loadHarnesses(url);
    all.push({ folder: basename(dirname(fileURLToPath(url))), file, harnesses });
  }
  return all;
}

export interface LoadedThreads {
  readonly file: URL;
  readonly harnesses: readonly ThreadHarness[];
}

/** Every bundled program of worker threads. */
export async function loadAllThreads(): Promise<LoadedThreads[]> {
  const all: LoadedThreads[] = [];
  for (const name of globSync('threads/*.ts', { cwd: fileURLToPath(root) }).toSorted()) {
    const file = new URL(name, root);
    all.push({ file, harnesses: await loadThreadHarnesses(file) });
  }
  return all;
}
