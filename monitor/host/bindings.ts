/** What Node's own JavaScript calls in its C++ parts: the very objects, so that nothing goes round what is wrapped there. */
import { isBuiltin } from 'node:module';
import { ScopeReader } from './scope-reader.ts';

type Binding = (name: string) => any;

let known: Binding | null = null;

/** A binding by its name. */
export function bindingOf(name: string): any {
  known ??= access();
  return known(name);
}

/**
 * `process.binding` gives them away. Where it warns (`--pending-deprecation`), refuses (`--permission`) or is not
 * Node's any more, what stands behind it is taken.
 */
function access(): Binding {
  const { binding } = process as unknown as { binding?: Binding };
  if (typeof binding === 'function' && String(binding).includes('internalBinding('))
    return binding.bind(process);
  return innerAccess();
}

let inner: Binding | null = null;

/** The same for those that `process.binding` knows nothing of; undefined where Node has none of that name. */
export function innerBindingOf(name: string): any {
  inner ??= innerAccess();
  try {
    return inner(name);
  } catch {
    return undefined;
  }
}

function innerAccess(): Binding {
  const reader = new ScopeReader();
  try {
    const { BuiltinModule } = reader.scopes(isBuiltin, ['BuiltinModule']);
    const compile: Function = BuiltinModule.prototype.compileForInternalLoader;
    return reader.scopes(compile, ['internalBinding'])['internalBinding'];
  } finally {
    reader.close();
  }
}
