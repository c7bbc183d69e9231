/**
 * Puts adapters between a module with locks and its importers. `import` gets a small wrapper module around
 * it; `require` gets its own exports, adopted at the end of its text.
 */
import { registerHooks } from 'node:module';
import { extname } from 'node:path';
import { adapterFor, adopt, adoptCommonJS } from './adapters.ts';

const KEY = Symbol.for('unweave.locks');
const WRAPPED = '?unweave-lock';
/** What adapters import, whichever copy of this package they would find themselves. */
const PUBLIC: ReadonlyMap<string, string> = new Map(
  Object.entries({ 'unweave/locks': './api', 'unweave/threads': '../threads/api' }).map(([name, file]) => [
    name,
    new URL(`${file}${extname(import.meta.url)}`, import.meta.url).href,
  ]),
);

const FORMAT = extname(import.meta.url) === '.ts' ? 'module-typescript' : 'module';

let redirected = false;

/** From here on the modules for adapters are those of this process, where locks report to. */
export function provideApi(): void {
  if (redirected) return;
  redirected = true;
  registerHooks({
    resolve(specifier, context, next) {
      const url = PUBLIC.get(specifier);
      return url ? { url, format: FORMAT, shortCircuit: true } : next(specifier, context);
    },
  });
}

/** Installs the hooks for this thread. Other hooks may be installed before or after. */
export function installLockHooks(): void {
  Object.defineProperty(globalThis, KEY, { value: { adopt, adoptCommonJS }, configurable: true });
  /** Modules that are required: their text is completed on load. */
  const required = new Map<string, string>();
  registerHooks({
    resolve(specifier, context, nextResolve) {
      const result = nextResolve(specifier, context);
      const name = adaptedModule(result.url, context.parentURL);
      if (name === null) return result;
      if (context.conditions.includes('require')) {
        required.set(result.url, name);
        return result;
      }
      return { ...result, url: result.url + WRAPPED, format: 'module' };
    },
    load(url, context, nextLoad) {
      if (url.endsWith(WRAPPED)) {
        const real = url.slice(0, -WRAPPED.length);
        const name = adaptedModule(real, undefined);
        return { format: 'module', source: wrapper(real, name ?? ''), shortCircuit: true };
      }
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

/** The name under which the module at `url` is adapted; null where it is not, or where it imports itself. */
function adaptedModule(url: string, parent: string | undefined): string | null {
  if (url.startsWith('file:') && adapterFor(url)) return parent === url + WRAPPED ? null : url;
  const match = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)[^?]*$/.exec(url);
  const name = match?.[1];
  if (name === undefined || !adapterFor(name)) return null;
  const folder = url.slice(0, url.lastIndexOf(`/node_modules/${name}/`) + `/node_modules/${name}/`.length);
  return parent?.startsWith(folder) ? null : name;
}

function wrapper(url: string, name: string): string {
  const from = JSON.stringify(url);
  const replaces = adapterFor(name)?.replaces ?? [];
  return [
    `import * as real from ${from};`,
    `const adopted = globalThis[Symbol.for('unweave.locks')].adopt(${JSON.stringify(name)}, real);`,
    `export * from ${from};`,
    ...replaces.map(
      (key, i) =>
        `const e${i} = adopted[${JSON.stringify(key)}]; export { e${i} as ${JSON.stringify(key)} };`,
    ),
    'export default adopted.default;',
  ].join('\n');
}
