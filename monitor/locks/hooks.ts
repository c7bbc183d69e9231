/**
 * Puts adapters between a lock package and its importers. `import` gets a small wrapper module around the
 * package's entry; `require` gets the entry's own exports, adopted at the end of its text.
 */
import { registerHooks } from 'node:module';
import { adapterFor, adopt } from './adapters.ts';

const KEY = Symbol.for('unweave.locks');
const WRAPPED = '?unweave-lock=';

/** Installs the hooks for this thread. Other hooks may be installed before or after. */
export function installLockHooks(): void {
  Object.defineProperty(globalThis, KEY, { value: { adopt, adoptCommonJS }, configurable: true });
  /** Entries that are required: their text is completed on load. */
  const required = new Map<string, string>();
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const result = nextResolve(specifier, context);
      const name = adaptedEntry(result.url, context.parentURL);
      if (name === null) return result;
      if (context.conditions.includes('require')) {
        required.set(result.url, name);
        return result;
      }
      return { ...result, url: `${result.url}${WRAPPED}${name}`, format: 'module' };
    },
    load(url, context, nextLoad) {
      const at = url.indexOf(WRAPPED);
      if (at >= 0)
        return {
          format: 'module',
          source: wrapper(url.slice(0, at), url.slice(at + WRAPPED.length)),
          shortCircuit: true,
        };
      const name = required.get(url);
      const result = nextLoad(url, context);
      if (name === undefined || !result.source) return result;
      // A required file may turn out to be ESM: then there is no `module`.
      const adoption = `
;typeof module === 'object' && (module.exports = globalThis[Symbol.for('unweave.locks')].adoptCommonJS(${JSON.stringify(name)}, module.exports));`;
      return { ...result, source: `${result.source}${adoption}` };
    },
  });
}

/** The adapted package that this import enters from outside, or null. */
function adaptedEntry(url: string, parent: string | undefined): string | null {
  const match = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)[^?]*$/.exec(url);
  const name = match?.[1];
  if (name === undefined || !adapterFor(name)) return null;
  const folder = url.slice(0, url.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length);
  return parent?.startsWith(folder) ? null : name;
}

function wrapper(url: string, name: string): string {
  const from = JSON.stringify(url);
  return [
    `import * as real from ${from};`,
    `const adopted = globalThis[Symbol.for('unweave.locks')].adopt(${JSON.stringify(name)}, real);`,
    `export * from ${from};`,
    'export default adopted.default;',
  ].join('\n');
}

function adoptCommonJS(name: string, exports: Record<string, unknown>): unknown {
  const replaced = adapterFor(name)?.adopt(exports);
  if (!replaced) return exports;
  if (typeof exports === 'function' && 'default' in replaced) return replaced.default;
  return { ...exports, ...replaced };
}
