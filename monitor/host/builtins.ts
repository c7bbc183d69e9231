/** Node's own modules as Node keeps them: by name, loaded or not. */
import { isBuiltin } from 'node:module';
import { ScopeReader } from './scope-reader.ts';

interface Builtin {
  readonly exports: Record<string, unknown>;
  readonly loaded: boolean;
  /** Loads it where it is not loaded yet; every way to a module leads through here. */
  compileForInternalLoader(): Record<string, unknown>;
  /** Tells those that imported it by name of what was replaced. */
  syncExports?(): void;
}
type BuiltinTable = ReadonlyMap<string, Builtin>;

let known: BuiltinTable | null | undefined;

/** The process of `node --test`, which only starts others, has no inspector: Node throws a text, which is no error. */
function readerOrNone(): ScopeReader | null {
  try {
    return new ScopeReader();
  } catch (error) {
    if (error instanceof Error) throw error;
    return null;
  }
}

/** `isBuiltin` looks into the table; null where a Node keeps it elsewhere, or nobody can look. */
function table(): BuiltinTable | null {
  if (known !== undefined) return known;
  const reader = readerOrNone();
  if (!reader) return (known = null);
  try {
    const { BuiltinModule } = reader.scopes(isBuiltin, ['BuiltinModule'], false) as {
      BuiltinModule?: { readonly map?: BuiltinTable };
    };
    return (known = BuiltinModule?.map ?? null);
  } finally {
    reader.close();
  }
}

/** What one of Node's modules, an inner one too, gives to the others; undefined where it cannot be known. */
export function builtinExports(name: string): Record<string, unknown> | undefined {
  return table()?.get(name)?.exports;
}

/** Calls `then` with a public module before anybody else has it: now, or when it is first loaded. */
export function whenLoaded<T>(name: string, then: (exports: T) => void): void {
  const builtin = table()?.get(name);
  if (typeof builtin?.compileForInternalLoader !== 'function' || builtin.loaded) {
    // Some have no public name without `node:`.
    then((builtin?.loaded ? builtin.exports : process.getBuiltinModule(name)) as T);
    // `syncBuiltinESMExports` leaves those out.
    if (builtin?.loaded) builtin.syncExports?.();
    return;
  }
  const { compileForInternalLoader } = builtin;
  builtin.compileForInternalLoader = () => {
    const exports = compileForInternalLoader.call(builtin);
    if (builtin.loaded) {
      builtin.compileForInternalLoader = compileForInternalLoader;
      then(exports as T);
    }
    return exports;
  };
}
