/** Folders, made one by one. */
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder and those that it is in. Returns the first that was made, or undefined. Node's own recursion
 * never ends where a file system says that a folder's parent is missing although it is there (`/proc`).
 */
export function makeFolders(folder: string, mode?: number): string | undefined {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return undefined;
  const parent = dirname(folder);
  const above = parent === folder ? undefined : makeFolders(parent, mode);
  try {
    mkdirSync(folder, mode);
  } catch (error) {
    // Another process may have been first.
    if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw error;
    return above;
  }
  return above ?? folder;
}
