/**
 * Test files that share a process: a process for each file costs more than what most of them do. In these folders nothing
 * is changed that another file could meet: no gate is installed, no function of the host replaced. Each file runs alone, too.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const TESTS = join(import.meta.dirname, '..');

/** The test files of a folder of `test/`. */
export const filesOf = (folder: string): string[] =>
  globSync(`${folder}/**/*.test.ts`, { cwd: TESTS })
    .toSorted()
    .map((file) => join(TESTS, file));

/** Loads the test files of these folders into this process. */
export async function enter(...folders: readonly string[]): Promise<void> {
  for (const file of folders.flatMap(filesOf)) await import(pathToFileURL(file).href);
}
