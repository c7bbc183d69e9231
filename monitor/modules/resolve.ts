/** Where a specifier leads, by Node's own resolver, for both kinds of module. */
import { createRequire, isBuiltin, registerHooks } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

export type ModuleTarget =
  | { readonly kind: 'builtin'; readonly url: string }
  | { readonly kind: 'file'; readonly file: string; readonly url: string }
  /** `data:` and other URLs: left to Node. */
  | { readonly kind: 'url'; readonly url: string };

const SCHEME = 'unweave-resolve:';
let installed = false;

/** `import.meta.resolve` takes no parent without a flag; a resolve hook may put one in. */
function installHook(): void {
  if (installed) return;
  installed = true;
  registerHooks({
    resolve(specifier, context, next) {
      if (!specifier.startsWith(SCHEME)) return next(specifier, context);
      const [wanted, parentURL] = JSON.parse(decodeURIComponent(specifier.slice(SCHEME.length)));
      return { ...next(wanted, { ...context, parentURL }), shortCircuit: true };
    },
  });
}

/** What a URL leads to. */
export function target(url: string): ModuleTarget {
  if (url.startsWith('node:')) return { kind: 'builtin', url };
  if (!url.startsWith('file:')) return { kind: 'url', url };
  const clean = url.replace(/[?#].*$/, '');
  return { kind: 'file', file: fileURLToPath(clean), url: clean };
}

const builtinURL = (specifier: string) => (specifier.startsWith('node:') ? specifier : `node:${specifier}`);

/** Resolves as an `import` in `parent` (a path) does. Throws what Node throws. */
export function resolveImport(specifier: string, parent: string): ModuleTarget {
  if (isBuiltin(specifier)) return { kind: 'builtin', url: builtinURL(specifier) };
  installHook();
  const question = JSON.stringify([specifier, pathToFileURL(parent).href]);
  return target(import.meta.resolve(SCHEME + encodeURIComponent(question)));
}

const requires = new Map<string, NodeJS.Require>();

/** Node's own `require` of a file. */
export function requireOf(parent: string): NodeJS.Require {
  let own = requires.get(parent);
  if (!own) requires.set(parent, (own = createRequire(parent)));
  return own;
}

/** Resolves as a `require` in `parent` (a path) does. Throws what Node throws. */
export function resolveRequire(specifier: string, parent: string): ModuleTarget {
  if (isBuiltin(specifier)) return { kind: 'builtin', url: builtinURL(specifier) };
  const require = requireOf(parent);
  // Of modules that Node does not have `resolve` says something else.
  if (specifier.startsWith('node:')) require(specifier);
  const file = require.resolve(specifier);
  return { kind: 'file', file, url: pathToFileURL(file).href };
}
