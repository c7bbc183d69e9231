/** Locks of the user's own, taught by a lock adapter instead of in their source. */
import { isSharedArrayBuffer } from 'node:util/types';
import { acquire, acquireShared, nameShared, release, releaseShared, type SharedPlace } from './annotate.ts';

/** What the methods of a class do, by their names. One that returns `false` did not get the lock. */
export interface LockMethods<L> {
  readonly acquire?: readonly string[];
  readonly release?: readonly string[];
  /** Of a read-write lock, for reading. */
  readonly acquireShared?: readonly string[];
  readonly releaseShared?: readonly string[];
  /** Names a lock: a view that begins at a place of its own. By default its first property that is shared memory. */
  place?(lock: L): SharedPlace;
}

const OPERATIONS = { acquire, release, acquireShared, releaseShared } as const;

/**
 * Patches the prototype of a class of locks: its methods become operations of locks. @throws TypeError for a method that
 * there is not, and where a lock that is used has no place.
 */
export function adaptLock<L extends object>(
  lock: abstract new (...args: any[]) => L,
  methods: LockMethods<L>,
): void {
  const prototype = lock.prototype as Record<string, unknown>;
  const places = new WeakMap<L, SharedPlace>();
  const placeOf = (each: L): SharedPlace => {
    let place = places.get(each);
    if (!place) places.set(each, (place = nameShared((methods.place ?? firstShared)(each), lock.name)));
    return place;
  };
  for (const [kind, operation] of Object.entries(OPERATIONS))
    for (const name of methods[kind as keyof typeof OPERATIONS] ?? []) {
      const method = prototype[name];
      if (typeof method !== 'function') throw new TypeError(`adaptLock: ${lock.name} has no method ${name}`);
      const adapted = function (this: L, ...args: unknown[]): unknown {
        return operation(placeOf(this), () => Reflect.apply(method, this, args) as unknown);
      };
      Object.defineProperty(adapted, 'name', { value: name });
      Object.defineProperty(adapted, 'length', { value: method.length });
      Object.defineProperty(prototype, name, { value: adapted, writable: true, configurable: true });
    }
}

function firstShared(lock: object): SharedPlace {
  const found = Object.values(lock).find(
    (each): each is SharedPlace => ArrayBuffer.isView(each) && isSharedArrayBuffer(each.buffer),
  );
  if (!found)
    throw new TypeError(
      `adaptLock: no property of ${lock.constructor.name} is shared memory: give its place`,
    );
  return found;
}
