/**
 * Hooks of fields. Each returns what it was given, never throws and never runs user code.
 *
 * The first comparison of each is the whole cost of a quiet point; everything else sits behind it.
 */
import { bornAt } from './identity.ts';
import { called, computed, isObject, log, named } from './log.ts';
import { births, left, siteInfo, spend, spendBirth } from './points.ts';

/** `o.k` */
export function r<T>(site: number, o: T): T {
  if (left[site] !== 0) named(site, false, o);
  return o;
}

/** `o[k]`; returns the key. */
export function rk<K>(site: number, o: unknown, key: K): K {
  if (left[site] !== 0) computed(site, false, o, key);
  return key;
}

/** The right-hand side of `o.k = v`. */
export function w<V>(site: number, o: unknown, v: V): V {
  if (left[site] !== 0) named(site, true, o);
  return v;
}

/** The right-hand side of `o[k] = v`. */
export function wk<V>(site: number, o: unknown, key: unknown, v: V): V {
  if (left[site] !== 0) computed(site, true, o, key);
  return v;
}

/** `o.k++` */
export function rw<T>(site: number, o: T): T {
  if (left[site] !== 0) {
    named(site, false, o);
    if (left[site] !== 0) named(site, true, o);
  }
  return o;
}

/** `o[k]++`; returns the key. */
export function rwk<K>(site: number, o: unknown, key: K): K {
  if (left[site] !== 0) {
    computed(site, false, o, key);
    if (left[site] !== 0) computed(site, true, o, key);
  }
  return key;
}

/** The object of a target in a pattern or loop head, and of `delete o.k`. */
export function wo<T>(site: number, o: T): T {
  if (left[site] !== 0) named(site, true, o);
  return o;
}

/** The same with a computed key; returns the key. */
export function wok<K>(site: number, o: unknown, key: K): K {
  if (left[site] !== 0) computed(site, true, o, key);
  return key;
}

/** Several fields of one object in straight-line code: one point each, beginning with `site`. */
export function g<T>(site: number, count: number, o: T): T {
  if (left[site] !== 0) group(site, count, o);
  return o;
}

/** The same where the first access is a write: returns what is written. */
export function gw<V>(site: number, count: number, o: unknown, v: V): V {
  if (left[site] !== 0) group(site, count, o);
  return v;
}

/** The budget of the first point is that of all: they are reached together. */
function group(site: number, count: number, o: unknown) {
  spend(site);
  if (!isObject(o)) return;
  for (let at = site; at < site + count; at++) {
    const info = siteInfo(at);
    log(at, info?.access === 'write', o, info?.key ?? null);
  }
}

/** The object of a method call: a read only where the object itself holds the function. */
export function c<T>(site: number, o: T): T {
  if (left[site] !== 0) called(site, o);
  return o;
}

/** The value that `{ a, b } = o` takes apart: one point per key, beginning with `site`. */
export function ds<T>(site: number, count: number, o: T): T {
  for (let i = 0; i < count; i++) if (left[site + i] !== 0) named(site + i, false, o);
  return o;
}

/** `k in o`; returns the object. */
export function inn<T>(site: number, key: unknown, o: T): T {
  if (left[site] !== 0) computed(site, false, o, key);
  return o;
}

/** A literal or collection has been made. */
export function born<T>(site: number, o: T): T {
  if (births[site] !== 0) {
    spendBirth(site);
    if (isObject(o)) bornAt(o, site);
  }
  return o;
}
