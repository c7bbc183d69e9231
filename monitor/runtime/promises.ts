/** Hooks around promises: callbacks keep their frame, combinators tell their members. */
import { types } from 'node:util';
import { runCallback } from './activations.ts';
import type { ActivationFrame } from './frames.ts';
import { flush } from './pending.ts';
import { state } from './state.ts';
import type { Combinator } from './types.ts';

/** By the prototype of promises of a realm: the engine's `then`. */
const nativeThens = new WeakMap<object, unknown>();

/** Promises of this realm are the engine's. */
export function adoptPromises(realm: typeof globalThis): void {
  const { prototype } = realm.Promise;
  nativeThens.set(prototype, prototype.then);
}
adoptPromises(globalThis);

/** True for promises on which registering a callback runs no code but the engine's. */
function isPlain(promise: unknown): promise is Promise<unknown> {
  if (!types.isPromise(promise) || Object.hasOwn(promise, 'then')) return false;
  const prototype = Object.getPrototypeOf(promise) as Promise<unknown> | null;
  return prototype !== null && nativeThens.get(prototype) === prototype.then;
}

/** An argument of `.then`, `.catch` or `.finally`: a callback on a native promise runs under our caller. */
export function then(
  site: number,
  lex: ActivationFrame | null,
  promise: unknown,
  callback: unknown,
): unknown {
  if (typeof callback !== 'function' || !isPlain(promise)) return callback;
  const parent = state.cur ?? lex ?? state.root;
  return (...args: unknown[]) => runCallback(site, parent, promise, callback as () => unknown, args);
}

/** Member lists of combinator calls that have not returned yet. */
const open: { site: number; members: unknown[] }[] = [];

/** The argument of a combinator: the same members, noted on the way. */
export function members(site: number, iterable: any): unknown {
  if (state.observer?.combined === undefined) return iterable;
  if (Array.isArray(iterable)) {
    open.push({ site, members: iterable.slice() });
    return iterable;
  }
  if (iterable === null || iterable === undefined || typeof iterable[Symbol.iterator] !== 'function') {
    return iterable;
  }
  const noted: unknown[] = [];
  open.push({ site, members: noted });
  return { [Symbol.iterator]: () => noting(iterable[Symbol.iterator](), noted) };
}

function noting(inner: Iterator<unknown>, noted: unknown[]): Iterator<unknown> {
  return {
    next: () => {
      const result = inner.next();
      if (!result.done) noted.push(result.value);
      return result;
    },
    get return() {
      const close = inner.return;
      return close === undefined ? undefined : (value?: unknown) => close.call(inner, value);
    },
  };
}

/** The result of a combinator call. */
export function combine<T>(site: number, kind: Combinator, result: T): T {
  let last = open.pop();
  while (last !== undefined && last.site !== site) last = open.pop();
  if (last !== undefined) {
    flush();
    state.observer?.combined?.(kind, result, last.members);
  }
  return result;
}
