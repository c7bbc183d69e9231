/** The adapters that come with unweave, and those that the user adds. */
import type { LockAdapter } from './api.ts';
import { asyncLock } from './async-lock.ts';
import { asyncMutex } from './async-mutex.ts';
import { pLimit } from './p-limit.ts';
import { pQueue } from './p-queue.ts';

const adapters = new Map<string, LockAdapter>(
  [asyncMutex, asyncLock, pLimit, pQueue].map((adapter) => [adapter.module, adapter]),
);

/** A user's adapter; it replaces a built-in one of the same module. */
export function addAdapter(adapter: LockAdapter): void {
  adapters.set(adapter.module, adapter);
}

export function adapterFor(module: string): LockAdapter | undefined {
  return adapters.get(module);
}

const adopted = new WeakMap<object, Readonly<Record<string, unknown>>>();

/**
 * Called from the wrapper that the loader puts around an adapted package. Returns what importers get: the
 * exports, some of them replaced. A package is adopted once, however often it is imported.
 */
export function adopt(
  module: string,
  exports: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const adapter = adapters.get(module);
  if (!adapter) return exports;
  const anchor = (exports.default ?? exports) as object;
  const known = adopted.get(anchor);
  if (known) return known;
  const result = { ...exports, ...adapter.adopt(exports) };
  adopted.set(anchor, result);
  return result;
}
