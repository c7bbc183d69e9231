/**
 * Hooks of accesses. Each returns what it was given, never throws and never runs user code.
 *
 * The first comparison of each is the whole cost of a quiet point; everything else sits behind it.
 */
import { types } from 'node:util';
import { bornAt } from './identity.ts';
import { EFFECTS, type Part, type ReceiverClass } from './methods.ts';
import { births, left, siteInfo, spend, spendBirth } from './points.ts';
import { state } from './state.ts';

/** Elements logged one by one when a whole collection is read or written; larger ones by their size only. */
const ELEMENTS = 16;

function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

function log(site: number, write: boolean, target: object | number, key: PropertyKey | null) {
  state.sink?.access(state.cur, site, write, target, key);
}

/** Keys of Map and Set entries as property keys; objects get one that no string can equal by accident. */
function elementKey(key: unknown): PropertyKey {
  if (typeof key === 'symbol') return key;
  if (isObject(key)) return objectKey(key);
  return String(key);
}

const objectKeys = new WeakMap<object, symbol>();
function objectKey(o: object): symbol {
  let key = objectKeys.get(o);
  if (key === undefined) {
    key = Symbol(typeof o === 'function' ? 'function' : 'object');
    objectKeys.set(o, key);
  }
  return key;
}

function named(site: number, write: boolean, o: unknown) {
  spend(site);
  if (isObject(o)) log(site, write, o, siteInfo(site)?.key ?? null);
}

function computed(site: number, write: boolean, o: unknown, key: unknown) {
  spend(site);
  if (!isObject(o)) return;
  // Converting an object to a key would run its toString.
  if (isObject(key)) log(site, write, o, null);
  else log(site, write, o, typeof key === 'symbol' ? key : String(key));
}

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

function called(site: number, o: unknown) {
  spend(site);
  // Asking a proxy for its own keys would run a trap.
  if (!isObject(o) || types.isProxy(o)) return;
  const key = siteInfo(site)?.key ?? null;
  if (key !== null && Object.hasOwn(o, key)) log(site, false, o, key);
}

/** The object of a call of a collection method without a named element. */
export function m0<T>(site: number, o: T): T {
  if (left[site] !== 0) method(site, o, undefined, false);
  return o;
}

/** The only argument of a call of a collection method. */
export function m1<K>(site: number, o: unknown, key: K): K {
  if (left[site] !== 0) method(site, o, key, true);
  return key;
}

/** The last of several arguments of a call of a collection method. */
export function mk<V>(site: number, o: unknown, key: unknown, v: V): V {
  if (left[site] !== 0) method(site, o, key, true);
  return v;
}

function classOf(o: object): ReceiverClass | null {
  if (Array.isArray(o)) return types.isProxy(o) ? null : 'array';
  if (types.isMap(o)) return 'map';
  if (types.isSet(o)) return 'set';
  if (types.isTypedArray(o)) return 'typed';
  if (types.isDate(o)) return 'date';
  if (o instanceof WeakMap) return 'map';
  if (o instanceof WeakSet) return 'set';
  return null;
}

function method(site: number, o: unknown, key: unknown, hasKey: boolean) {
  if (!isObject(o)) return spend(site);
  const name = siteInfo(site)?.key ?? '';
  const kind = types.isProxy(o) ? null : classOf(o);
  const effect = kind === null ? undefined : EFFECTS[kind][name];
  if (kind === null || effect === undefined) return called(site, o);
  spend(site);
  for (const part of effect.read ?? []) touch(site, false, o, kind, part, key, hasKey);
  for (const part of effect.write ?? []) touch(site, true, o, kind, part, key, hasKey);
}

function touch(
  site: number,
  write: boolean,
  o: any,
  kind: ReceiverClass,
  part: Part,
  key: unknown,
  hasKey: boolean,
) {
  const isList = kind === 'array' || kind === 'typed';
  const size = isList ? 'length' : 'size';
  switch (part) {
    case 'time':
      return log(site, write, o, 'time');
    case 'key':
      if (hasKey) log(site, write, o, isList ? indexKey(o, key) : elementKey(key));
      return;
    case 'end':
      return log(site, write, o, String(o.length));
    case 'size':
      // Setting an entry that is there does not change the size.
      if (write && isSizeKept(o, kind, siteInfo(site)?.key, key)) return;
      return log(site, write, o, size);
    case 'all':
      log(site, write, o, size);
      for (const element of elements(o, kind)) log(site, write, o, element);
  }
}

function indexKey(o: { length: number }, key: unknown): PropertyKey {
  const index = Math.trunc(Number(isObject(key) ? 0 : key)) || 0;
  return String(index < 0 ? o.length + index : index);
}

function isSizeKept(o: object, kind: ReceiverClass, name: string | null | undefined, key: unknown): boolean {
  if (kind !== 'map' && kind !== 'set') return false;
  const present = kind === 'map' ? hasInMap(o, key) : hasInSet(o, key);
  return name === 'delete' ? !present : present;
}

const mapHas = Map.prototype.has;
const setHas = Set.prototype.has;
const hasInMap = (o: object, key: unknown) => types.isMap(o) && mapHas.call(o, key);
const hasInSet = (o: object, key: unknown) => types.isSet(o) && setHas.call(o, key);
const mapKeys = Map.prototype.keys;
const setValues = Set.prototype.values;

function* elements(o: any, kind: ReceiverClass): Iterable<PropertyKey> {
  if (kind === 'array' || kind === 'typed') {
    if (o.length <= ELEMENTS) for (let i = 0; i < o.length; i++) yield String(i);
  } else if (types.isMap(o)) {
    if (o.size <= ELEMENTS) for (const key of mapKeys.call(o)) yield elementKey(key);
  } else if (types.isSet(o)) {
    if (o.size <= ELEMENTS) for (const key of setValues.call(o)) yield elementKey(key);
  }
}

/** What a `for…of` or a spread runs over. */
export function it<T>(site: number, iterable: T): T {
  if (left[site] !== 0) iterated(site, iterable);
  return iterable;
}

function iterated(site: number, o: unknown) {
  spend(site);
  if (!isObject(o) || types.isProxy(o)) return;
  const kind = classOf(o);
  if (kind !== null && kind !== 'date') touch(site, false, o, kind, 'all', undefined, false);
}

/** What an object spread or `Object.keys` and its like read. */
export function ks<T>(site: number, o: T): T {
  if (left[site] !== 0) {
    spend(site);
    if (isObject(o) && !types.isProxy(o) && !types.isModuleNamespaceObject(o)) {
      const keys = Object.keys(o);
      if (keys.length <= ELEMENTS) for (const key of keys) log(site, false, o, key);
      else log(site, false, o, null);
    }
  }
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

let lastScope = 0;
/** Points fit into this many; a scope's id tells its point without a table. */
const SCOPE_SITES = 2 ** 22;

/** A variable scope is entered: a number, negative so that no object has it. */
export function scope(site: number): number {
  return -(++lastScope * SCOPE_SITES + site);
}

/** The point where a scope was entered. */
export function scopeSite(target: number): number {
  return -target % SCOPE_SITES;
}

/** A variable is read. */
export function rv<V>(site: number, target: number | undefined, v?: V): V {
  if (left[site] !== 0) variable(site, false, target);
  return v as V;
}

/** A variable has been written. */
export function wv<V>(site: number, target: number | undefined, v: V): V {
  if (left[site] !== 0) variable(site, true, target);
  return v;
}

function variable(site: number, write: boolean, target: number | undefined) {
  spend(site);
  // Undefined before the module body has begun (functions are hoisted over import cycles).
  if (target !== undefined) log(site, write, target, siteInfo(site)?.key ?? null);
}

/** A literal or collection has been made. */
export function born<T>(site: number, o: T): T {
  if (births[site] !== 0) {
    spendBirth(site);
    if (isObject(o)) bornAt(o, site);
  }
  return o;
}
