/**
 * Runs the user's modules again and again in one process, with fresh module state each time.
 *
 * Every module of the user is compiled once as a function; a run calls the functions anew, so module-level
 * state starts over while bytecode and caches stay warm, and nothing of a run outlives it. Packages and
 * built-in modules are loaded by Node, once: their state is shared by all runs of the process.
 * What cannot be expressed this way throws {@link NotLinkable}: then each run needs its own process.
 */
import { type GraphOptions, ModuleGraph, reachable } from './graph.ts';
import { ModuleInstance } from './instance.ts';

export { NotLinkable } from './errors.ts';
export type { GraphOptions, ViaLoaders } from './graph.ts';
export type { ModuleInstance } from './instance.ts';
export type { Namespace } from './unit.ts';

export interface Linker {
  /** Compiles a file with all it imports. Throws what importing it would: syntax, missing files and names. */
  load(file: string): Promise<void>;
  /** Loads a file and says whether a module whose path or URL matches is among what it imports. */
  reaches(file: string, pattern: RegExp): Promise<boolean>;
  /** Whether a module was read by others than Node, so that errors may read otherwise than in a process of their own. */
  hasOthersText(): boolean;
  /** The modules of a new run; `main` is the file that the process was started with, if any. */
  instance(main?: string): ModuleInstance;
}

/** A linker; what it compiled lives as long as it does. */
export function createLinker(options: GraphOptions): Linker {
  const graph = new ModuleGraph(options);
  return {
    load: async (file) => void (await graph.load(file)),
    reaches: async (file, pattern) =>
      reachable(await graph.load(file)).some((u) => pattern.test(u.kind === 'shared' ? u.url : u.file)),
    hasOthersText: () => graph.hasOthersText,
    instance: (main) => new ModuleInstance(graph, main ?? null),
  };
}
