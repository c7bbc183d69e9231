/**
 * Stacks of errors as they are without us: no frame of ours stands in them, and none takes the place of one of the program's, which
 * between a callback that we call and Node's loop, and before what awaits it, they would.
 */
import { isOurScript } from '../loader/select.ts';
import { setStackDepth } from '../stack-depth.ts';
import { innerBindingOf } from './bindings.ts';
import { builtinExports } from './builtins.ts';

type TracedFrames = readonly NodeJS.CallSite[];
type Prepare = (realm: typeof globalThis, error: Error, trace: TracedFrames) => unknown;

/** At most so many frames of ours are in a stack. */
const OURS = 40;

export interface Stacks {
  /** A turn of the program begins: stacks hold ours besides. Returns how deep the program wants them. */
  deepen(): number;
  /** It is over. */
  shallow(usual: number): void;
}

export function wrapStacks(): Stacks {
  const prepare = builtinExports('internal/errors')?.['prepareStackTraceCallback'] as Prepare | undefined;
  const set = innerBindingOf('errors')?.setPrepareStackTraceCallback;
  // A Node that keeps them elsewhere shows ours.
  if (typeof prepare !== 'function' || typeof set !== 'function') return { deepen: () => 0, shallow() {} };
  /** What was set for the turn; null between turns. */
  let deep: number | null = null;
  set((realm: typeof globalThis, error: Error, trace: TracedFrames) =>
    prepare(realm, error, withoutOurs(trace, deep)),
  );
  return {
    deepen() {
      const usual = Error.stackTraceLimit;
      if (usual > 0 && setStackDepth(usual + OURS)) deep = usual + OURS;
      return usual;
    },
    shallow(usual) {
      // The program may have set it itself.
      if (deep !== null && Error.stackTraceLimit === deep) setStackDepth(usual);
      deep = null;
    },
  };
}

function withoutOurs(trace: TracedFrames, deep: number | null): TracedFrames {
  // What begins in our own code is our own error.
  if (trace.length === 0 || isOurs(trace[0]!)) return trace;
  const theirs = trace.some(isOurs) ? trace.filter((frame) => !isOurs(frame)) : trace;
  const limit = Error.stackTraceLimit;
  const usual = deep === null ? limit : deep - OURS;
  // The program wanted that many where it took them, or wants others now.
  if (trace.length > usual + OURS || (deep !== null && limit !== deep)) return theirs;
  return theirs.length > usual ? theirs.slice(0, usual) : theirs;
}

const known = new Map<string, boolean>();

function isOurs(frame: NodeJS.CallSite): boolean {
  const name = frame.getFileName();
  if (!name || name.startsWith('node:')) return false;
  let is = known.get(name);
  if (is === undefined) known.set(name, (is = isOur(name)));
  return is;
}

function isOur(name: string): boolean {
  try {
    return isOurScript(name);
  } catch {
    // A URL that is no path.
    return false;
  }
}
