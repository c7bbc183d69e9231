/**
 * Names without what is another in every run: the temporary directory that a process is given, and what it makes in
 * there, whose name has chance or a process id in it.
 */
import { relative } from 'node:path';

/** As scratch.ts makes them. */
const TEMPORARY = /(?:\/[^\s'"`/]+)*\/unweave-\w{6}\/run-\w{6}(?:\/tmp)+(?![^\s'"`/])(\/[^\s'"`/]+)?/g;

export const stableName = (name: string): string =>
  name.includes('unweave-')
    ? name.replace(TEMPORARY, (_, made) => (made === undefined ? '$TMPDIR' : '$TMPDIR/*'))
    : name;

/** The name of a file in reports: relative to `cwd`, but where it is temporary. */
export function fileName(cwd: string, file: string): string {
  const stable = stableName(file);
  return stable === file ? relative(cwd, file) : stable;
}
