/** The adapters that come with unweave, and those that the user adds. */
import { DRIVER_PACKAGES, packageLoaded } from '../drivers/packages.ts';
import type { LockAdapter } from './api.ts';
import { asyncLock } from './async-lock.ts';
import { asyncMutex } from './async-mutex.ts';
import { pLimit } from './p-limit.ts';
import { pQueue } from './p-queue.ts';

type Exports = Readonly<Record<string, unknown>>;

/** By package name, or by URL for a file of the user's own. */
const adapters = new Map<string, LockAdapter>(
  [asyncMutex, asyncLock, pLimit, pQueue, ...DRIVER_PACKAGES.map(driver)].map((adapter) => [
    adapter.module,
    adapter,
  ]),
);

/** A driver has no locks that others wait for; the host is told of the copy that was loaded. */
function driver(module: string): LockAdapter {
  return {
    module,
    adopt(exports) {
      // What `require` gives, or a namespace with that as its default.
      const required = typeof exports === 'function' ? exports : (exports['default'] ?? exports);
      if (isObject(required)) packageLoaded(module, required);
      return undefined;
    },
  };
}

/** A user's adapter; it replaces a built-in one of the same module. `module`: package name, or URL of a file. */
export function addAdapter(adapter: LockAdapter, module: string = adapter.module): void {
  adapters.set(module, adapter);
}

/** All others are as if they had never been. */
export function onlyAdapter(adapter: LockAdapter): void {
  adapters.clear();
  addAdapter(adapter);
}

export function adapterFor(module: string): LockAdapter | undefined {
  return adapters.get(module);
}

/** By what stands for an instance of a module: its default export, else its exports. */
const adopted = new WeakMap<object, Exports>();

/** What importers get of an adapted module: its exports, some of them replaced. Each instance is adopted once. */
export function adopt(module: string, exports: Exports): Exports {
  const adapter = adapters.get(module);
  if (!adapter) return exports;
  const anchor = (exports['default'] ?? exports) as object;
  const known = isObject(anchor) ? adopted.get(anchor) : undefined;
  if (known) return known;
  const replaced = adapter.adopt(exports) ?? {};
  for (const name of Object.keys(replaced))
    if (name !== 'default' && !adapter.replaces?.includes(name))
      throw new Error(`the lock adapter of ${module} replaces '${name}' without naming it in 'replaces'`);
  const result = { ...exports, ...replaced };
  if (isObject(anchor)) adopted.set(anchor, result);
  return result;
}

/** The same for `module.exports`, which may be a function. */
export function adoptCommonJS(module: string, exports: unknown): unknown {
  const adapter = adapters.get(module);
  if (!adapter || !isObject(exports)) return exports;
  const replaced = adapter.adopt(exports as Exports);
  const result = !replaced
    ? exports
    : typeof exports === 'function' && 'default' in replaced
      ? replaced['default']
      : { ...exports, ...replaced };
  // Whoever imports it, too, gets it adopted.
  adopted.set(result as object, { ...(result as Exports), default: result });
  return result;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'function' || (typeof value === 'object' && value !== null);
