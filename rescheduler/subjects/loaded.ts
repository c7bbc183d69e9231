/** Which sources of the project a test has loaded: what a change of another one cannot concern. */
import type { ProcessEnd } from './job.ts';
import { fileName } from './stable-name.ts';

interface LoadedProcess {
  readonly name: string;
  /** The nearest process above it. */
  readonly within: string | null;
  readonly end: Pick<ProcessEnd, 'seen'> | null;
}

/**
 * The sources that a process and all that it started have loaded, relative to `cwd`. null where that is not known for sure: one of
 * them was killed, or the file of the test itself is not among them.
 */
export function loadedBy(
  processes: readonly LoadedProcess[],
  cwd: string,
): (name: string | null, file: string) => readonly string[] | null {
  const known = new Map<string, ReadonlySet<string> | null>();
  const below = Map.groupBy(processes, ({ within }) => within);
  const filesOf = (process: LoadedProcess): ReadonlySet<string> | null => {
    const before = known.get(process.name);
    if (before !== undefined) return before;
    // One that were its own ancestor would be asked for ever.
    known.set(process.name, null);
    const parts = (below.get(process.name) ?? []).map(filesOf);
    const isKnown = process.end !== null && !parts.includes(null);
    const files = isKnown
      ? new Set([...process.end.seen.project, ...parts.flatMap((part) => [...(part ?? [])])])
      : null;
    known.set(process.name, files);
    return files;
  };
  const byName = new Map(processes.map((process) => [process.name, process]));
  return (name, file) => {
    const process = name === null ? undefined : byName.get(name);
    const files = process ? filesOf(process) : null;
    return files?.has(file) ? [...files].map((path) => fileName(cwd, path)).sort() : null;
  };
}
