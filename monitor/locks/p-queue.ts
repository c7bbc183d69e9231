/** p-queue: a queue of concurrency one is a lock around each function that it runs. */
import { guarded, type LockAdapter } from './api.ts';

interface QueueLike {
  readonly concurrency: number;
  add(fn: unknown, ...rest: unknown[]): unknown;
}

export const pQueue: LockAdapter = {
  module: 'p-queue',
  adopt(exports) {
    const prototype = (exports.default as { prototype?: QueueLike } | undefined)?.prototype;
    if (typeof prototype?.add !== 'function') return undefined;
    const { add } = prototype;
    prototype.add = function (fn, ...rest) {
      const lock = this.concurrency === 1 && typeof fn === 'function';
      return add.call(this, lock ? guarded(this, 'p-queue', fn as () => unknown) : fn, ...rest);
    };
    return undefined;
  },
};
