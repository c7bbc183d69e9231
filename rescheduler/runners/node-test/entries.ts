/**
 * Test files that share the runner's process (`--test-isolation=none`): Node does not tell when one of them
 * fails to load. A call at the end of its text does.
 */
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';

const KEY = Symbol.for('unweave.entries');

/** From here on entries are watched. Returns what tells the files that did not get to their end so far. */
export function watchEntries(): () => string[] {
  const open = new Set<string>();
  const ended = (url: string) => open.delete(url);
  Object.defineProperty(globalThis, KEY, { value: ended, configurable: true });
  registerHooks({
    resolve(specifier, context, next) {
      const result = next(specifier, context);
      // What the runner itself imports has no module for a parent.
      const isEntry = context.parentURL === undefined || context.parentURL.endsWith('/');
      if (isEntry && specifier.startsWith('file:')) open.add(result.url);
      return result;
    },
    load(url, context, next) {
      const result = next(url, context);
      if (!open.has(url)) return result;
      if (!result.source) {
        open.delete(url);
        return result;
      }
      const call = `\n;globalThis[Symbol.for('unweave.entries')]?.(${JSON.stringify(url)});`;
      return { ...result, source: result.source.toString() + call };
    },
  });
  return () => [...open].map((url) => fileURLToPath(url));
}
