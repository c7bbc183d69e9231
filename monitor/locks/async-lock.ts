/** async-lock: one queue per key; `acquire(key, fn)` runs `fn` with the key held. */
import { guarded, type LockAdapter } from './api.ts';

type Acquire = (this: object, key: unknown, fn: unknown, ...rest: unknown[]) => unknown;

const keys = new WeakMap<object, Map<unknown, { readonly key: unknown }>>();

/** The lock of a key: async-lock has no object for it, so it gets one here. */
function lockOf(owner: object, key: unknown): object {
  let table = keys.get(owner);
  if (!table) keys.set(owner, (table = new Map()));
  let lock = table.get(key);
  if (!lock) table.set(key, (lock = { key }));
  return lock;
}

export const asyncLock: LockAdapter = {
  module: 'async-lock',
  adopt(exports) {
    const AsyncLock = (exports.default ?? exports) as { prototype?: { acquire?: Acquire } };
    const prototype = AsyncLock.prototype;
    if (typeof prototype?.acquire !== 'function') return undefined;
    const { acquire } = prototype;
    prototype.acquire = function (key, fn, ...rest) {
      // A batch acquires its keys one by one through this same method; callback style gives back later.
      const plain = !Array.isArray(key) && typeof fn === 'function' && fn.length === 0;
      const run = plain ? guarded(lockOf(this, key), `AsyncLock(${String(key)})`, fn as () => unknown) : fn;
      return acquire.call(this, key, run, ...rest);
    };
    return undefined;
  },
};
