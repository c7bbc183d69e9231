/**
 * Which modules of a process under test are put into one file. Left to itself each set of entries with a module in common
 * gets a file: a process looks up, reads and links seventy. Here what is loaded together is together, in the order in which
 * it is loaded: ours come in stages, and no stage may bring the next one along.
 */
import { globSync } from 'node:fs';
import type { ChunkingContext, CodeSplittingGroup } from 'rolldown';

/** What begins the stages. */
const OWN = ['monitor/loader/own-modules.ts'];
/** Walks the heap before others are loaded. */
const EARLY = ['rescheduler/subjects/early.ts'];
const BEGIN = ['rescheduler/subjects/preload-hooks.ts'];
const RUN = ['rescheduler/runners/node-test/shim.ts'];
/** Child processes of a run: they need a part of all that runs programs, and no gate. */
const FOLLOWED = ['monitor/children/follow-entry.ts'];
const COMMAND = ['cli/bin.ts'];
/** What each command starts with, `--version` too. */
const START_OF_COMMAND = ['cli/main.ts'];
/** What users import brings nothing else along. */
const PUBLIC = ['data/user-config.ts', 'harnesses/api.ts', 'monitor/{locks,threads}/api.ts'];

type Modules = ReadonlySet<string>;

/** In the order in which they are filled, for each takes along what it imports. `places` are found by their path and stay there. */
function taken(root: string, places: Modules, context: ChunkingContext): Readonly<Record<string, Modules>> {
  const reached = (from: readonly string[], late = false): Modules => {
    const found = new Set<string>();
    for (const queue = pathsIn(root, from); queue.length > 0; ) {
      const id = queue.pop() as string;
      const info = found.has(id) ? null : context.getModuleInfo(id);
      if (!info) continue;
      found.add(id);
      queue.push(...info.importedIds, ...(late ? info.dynamicallyImportedIds : []));
    }
    return found;
  };
  const begin = reached(BEGIN);
  const run = reached(RUN);
  const both = begin.union(run);
  return {
    own: reached(OWN).difference(places),
    public: both.intersection(reached(PUBLIC)),
    early: reached(EARLY).difference(places),
    'start-of-command': both.intersection(reached(START_OF_COMMAND)).difference(places),
    begin: begin.difference(places),
    followed: run.intersection(reached(FOLLOWED)).difference(places),
    'run-and-command': run.intersection(reached(COMMAND, true)).difference(places),
    run: run.difference(places),
  };
}

const pathsIn = (root: string, patterns: readonly string[]): string[] =>
  globSync(patterns, { cwd: root }).map((file) => `${root}/${file}`);

const NAMES = ['own', 'public', 'early', 'start-of-command', 'begin', 'followed', 'run-and-command', 'run'];

export function chunks(root: string, foundByPath: readonly string[]): CodeSplittingGroup[] {
  const places = new Set(pathsIn(root, foundByPath));
  let all: Readonly<Record<string, Modules>> | null = null;
  return NAMES.map((name) => ({
    debugName: name,
    name(id, context) {
      all ??= taken(root, places, context);
      return all[name]?.has(id) ? name : null;
    },
  }));
}
