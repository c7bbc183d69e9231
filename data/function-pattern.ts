/** Functions as the configuration names them. */
import { matchesGlob } from 'node:path';

/**
 * Whether a pattern names a function: `file#function`, where the file may be a glob and a method goes by its
 * name or by `Class.name`; either side may be missing. `file` is relative to the working directory.
 */
export function namesFunction(pattern: string, file: string, fn: string): boolean {
  const at = pattern.indexOf('#');
  const [glob, name] = at < 0 ? [pattern, ''] : [pattern.slice(0, at), pattern.slice(at + 1)];
  if (glob !== '' && file !== glob && !matchesGlob(file, glob)) return false;
  return name === '' || name === fn || fn.endsWith(`.${name}`);
}
