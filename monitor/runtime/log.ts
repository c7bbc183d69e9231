/** How hooks speak to the sink. Nothing here throws or runs user code. */
import { types } from 'node:util';
import { siteInfo, spend } from './points.ts';
import { state } from './state.ts';

/** Whether it can hold state. */
export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function';
}

/** Tells the sink, if there is one. */
export function log(site: number, write: boolean, target: object | number, key: PropertyKey | null) {
  state.sink?.access(state.cur, site, write, target, key);
}

/** Keys of Map and Set entries as property keys; objects get one that no string can equal by accident. */
export function elementKey(key: unknown): PropertyKey {
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

/** The access of a point whose key is written in the source. */
export function named(site: number, write: boolean, o: unknown) {
  spend(site);
  if (isObject(o)) log(site, write, o, siteInfo(site)?.key ?? null);
}

/** The access of a point whose key is computed. */
export function computed(site: number, write: boolean, o: unknown, key: unknown) {
  spend(site);
  if (!isObject(o)) return;
  // Converting an object to a key would run its toString.
  if (isObject(key)) log(site, write, o, null);
  else log(site, write, o, typeof key === 'symbol' ? key : String(key));
}

/** The call of a method: it reads a field only where the object itself holds the function. */
export function called(site: number, o: unknown) {
  spend(site);
  // Asking a proxy for its own keys would run a trap.
  if (!isObject(o) || types.isProxy(o)) return;
  const key = siteInfo(site)?.key ?? null;
  if (key !== null && Object.hasOwn(o, key)) log(site, false, o, key);
}
