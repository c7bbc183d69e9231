/** Hooks of what reads or writes all fields of an object: spread, `Object.keys`, `JSON.stringify`, `Object.assign`. */
import { types } from 'node:util';
import { everything } from './collections.ts';
import { isObject } from './log.ts';
import { flush, holdAs } from './pending.ts';
import { left, spend } from './points.ts';
import { hasChanged, isNew, isTable, KEYS } from './tables.ts';

/** Of an object with more fields, only the object itself is told. */
const FIELDS = 16;
/** Of a deep structure, so many fields. */
const DEEP_FIELDS = 64;

/** Fields of `o`, without running a trap or a getter; null where it has too many. */
function fields(o: object): PropertyKey[] | null {
  if (types.isProxy(o) || types.isModuleNamespaceObject(o)) return [];
  const keys = [...Object.keys(o), ...Object.getOwnPropertySymbols(o)];
  return keys.length <= FIELDS ? keys : null;
}

/** What an object spread or `Object.keys` and its like read. */
export function ks<T>(site: number, o: T): T {
  if (left[site] !== 0) all(site, false, o, o);
  return o;
}

/** A source of `Object.assign(target, …)`. */
export function as<T>(site: number, target: unknown, source: T): T {
  if (left[site] !== 0) all(site, true, target, source);
  return source;
}

function all(site: number, write: boolean, target: unknown, source: unknown) {
  spend(site);
  if (!isObject(target) || !isObject(source)) return;
  if (!write) keysOf(site, target);
  const keys = fields(source);
  if (keys === null) holdAs(site, write, target, null);
  else for (const key of keys) holdAs(site, write, target, key);
}

/** Which fields a table has is read. */
function keysOf(site: number, o: object) {
  if (!isTable(o)) return;
  if (isNew(o)) {
    // What was written before is not what is added from now on.
    flush();
    hasChanged(o);
  }
  holdAs(site, false, o, KEYS);
}

/** What `JSON.stringify` and `structuredClone` read. */
export function js<T>(site: number, o: T): T {
  if (left[site] !== 0) {
    spend(site);
    deep(site, o, { fields: DEEP_FIELDS, seen: new Set() });
  }
  return o;
}

function deep(site: number, o: unknown, rest: { fields: number; seen: Set<object> }) {
  if (!isObject(o) || rest.seen.has(o) || isClosed(o)) return;
  rest.seen.add(o);
  if (Array.isArray(o)) holdAs(site, false, o, 'length');
  else for (const value of members(site, o)) deep(site, value, rest);
  keysOf(site, o);
  for (const key of firstKeys(o, rest.fields)) {
    if (rest.fields-- <= 0) return;
    holdAs(site, false, o, key);
    deep(site, Object.getOwnPropertyDescriptor(o, key)?.value, rest);
  }
}

/** Looking into these would run code, throw, or take long. */
function isClosed(o: object): boolean {
  return (
    typeof o === 'function' || types.isProxy(o) || types.isModuleNamespaceObject(o) || ArrayBuffer.isView(o)
  );
}

/** What a Map or Set holds, once it is told that all of it is read. */
function members(site: number, o: object): Iterable<unknown> {
  if (!types.isMap(o) && !types.isSet(o)) return [];
  everything(site, o);
  return types.isMap(o) ? mapValues.call(o) : setValues.call(o);
}

const mapValues = Map.prototype.values;
const setValues = Set.prototype.values;

/** Long lists are cut before their keys are made. */
function firstKeys(o: object, most: number): string[] {
  if (!Array.isArray(o)) return Object.keys(o);
  return Array.from({ length: Math.min(o.length, most) }, (_, i) => String(i));
}
