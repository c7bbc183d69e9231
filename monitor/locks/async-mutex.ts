/** async-mutex: Semaphore is the primitive; Mutex is a Semaphore(1), `runExclusive` and `acquire` go through it. */
import { type LockAdapter, released, waitFor } from './api.ts';

interface SemaphoreLike {
  acquire(...args: unknown[]): Promise<unknown>;
  release(...args: unknown[]): unknown;
  getValue?(): number;
  _value?: number;
}

/** Only a binary semaphore is a lock: with more permits it is an order at best. */
const binary = new WeakMap<object, boolean>();

export const asyncMutex: LockAdapter = {
  module: 'async-mutex',
  adopt(exports) {
    const prototype = (exports.Semaphore as { prototype?: SemaphoreLike } | undefined)?.prototype;
    if (typeof prototype?.acquire !== 'function' || typeof prototype.release !== 'function') return undefined;
    const { acquire, release } = prototype;
    prototype.acquire = function (...args) {
      let isLock = binary.get(this);
      if (isLock === undefined) {
        isLock = (this.getValue?.() ?? this._value ?? 1) === 1;
        binary.set(this, isLock);
      }
      const promise = acquire.apply(this, args);
      if (isLock) waitFor(this, 'Mutex', promise);
      return promise;
    };
    prototype.release = function (...args) {
      // Before the queue moves on: the next grant comes after this release.
      if (binary.get(this)) released(this, 'Mutex');
      return release.apply(this, args);
    };
    return undefined;
  },
};
