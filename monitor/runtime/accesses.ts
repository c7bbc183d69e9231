/**
 * Hooks of fields. Each returns what it was given, never throws and never runs user code.
 *
 * The first comparison of each is the whole cost of a quiet point.
 */
import { Entry, hold, note } from './pending.ts';
import { births, left } from './points.ts';

/** `o.k` */
export function r<T>(site: number, o: T): T {
  if (left[site] !== 0) note(site, Entry.Read, o, null);
  return o;
}

/** `o[k]`; returns the key. */
export function rk<K>(site: number, o: unknown, key: K): K {
  if (left[site] !== 0) note(site, Entry.ReadKey, o, key);
  return key;
}

/** The right-hand side of `o.k = v`. */
export function w<V>(site: number, o: unknown, v: V): V {
  if (left[site] !== 0) note(site, Entry.Write, o, null);
  return v;
}

/** The right-hand side of `o[k] = v`. */
export function wk<V>(site: number, o: unknown, key: unknown, v: V): V {
  if (left[site] !== 0) note(site, Entry.WriteKey, o, key);
  return v;
}

/** `o.k++` */
export function rw<T>(site: number, o: T): T {
  if (left[site] !== 0) note(site, Entry.Update, o, null);
  return o;
}

/** `o[k]++`; returns the key. */
export function rwk<K>(site: number, o: unknown, key: K): K {
  if (left[site] !== 0) note(site, Entry.UpdateKey, o, key);
  return key;
}

/** The object of a target in a pattern or loop head, and of `delete o.k`. */
export function wo<T>(site: number, o: T): T {
  if (left[site] !== 0) note(site, Entry.Write, o, null);
  return o;
}

/** The same with a computed key; returns the key. */
export function wok<K>(site: number, o: unknown, key: K): K {
  if (left[site] !== 0) note(site, Entry.WriteKey, o, key);
  return key;
}

/**
 * Several fields of one object in straight-line code: one point each, beginning with `site`, whose budget is
 * that of all.
 */
export function g<T>(site: number, count: number, o: T): T {
  if (left[site] !== 0) note(site, Entry.Group, o, count);
  return o;
}

/** The same where the first access is a write: returns what is written. */
export function gw<V>(site: number, count: number, o: unknown, v: V): V {
  if (left[site] !== 0) note(site, Entry.Group, o, count);
  return v;
}

/** The object of a method call: a read only where the object itself holds the function. */
export function c<T>(site: number, o: T): T {
  if (left[site] !== 0) note(site, Entry.Call, o, null);
  return o;
}

/** The value that `{ a, b } = o` takes apart: one point per key, beginning with `site`. */
export function ds<T>(site: number, count: number, o: T): T {
  if (left[site] !== 0) note(site, Entry.Group, o, count);
  return o;
}

/** `k in o`; returns the object. */
export function inn<T>(site: number, key: unknown, o: T): T {
  if (left[site] !== 0) note(site, Entry.ReadKey, o, key);
  return o;
}

/** A literal or collection has been made. */
export function born<T>(site: number, o: T): T {
  if (births[site] !== 0) {
    births[site]!--;
    hold(site, Entry.Birth, o, null);
  }
  return o;
}
