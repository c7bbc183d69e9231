/** Hooks that go down the data properties of an object by themselves, where its parts cannot be wrapped. */
import { types } from 'node:util';
import { called } from './collections.ts';
import { isObject } from './log.ts';
import { Entry, hold } from './pending.ts';
import { left, siteInfo, spend } from './points.ts';

/** Methods whose effects can be told once they have run. */
const KEYED: ReadonlySet<string> = new Set(['get', 'has', 'set', 'add', 'delete']);

/** The value of a data property, wherever on the prototype chain; undefined for what code would have to run for. */
function dataOf(o: object, key: PropertyKey): unknown {
  for (let at: object | null = o; at !== null; at = Object.getPrototypeOf(at)) {
    if (types.isProxy(at)) return undefined;
    const found = Object.getOwnPropertyDescriptor(at, key);
    if (found !== undefined) return found.value;
  }
  return undefined;
}

/**
 * The value of an optional chain: `o` is what its `?.` was asked of, the points from `site` on are the members
 * behind it. The first one has a hook of its own. `argument`: what a call at the end of them was given.
 */
export function oc<T>(value: T, site: number, count: number, o: unknown, argument?: unknown): T {
  if (left[site] !== 0) descend(site, count, o, argument, []);
  return value;
}

/** The same with members among them whose keys are computed: `keys` are the values of these. */
export function ock<T>(
  value: T,
  site: number,
  count: number,
  o: unknown,
  argument: unknown,
  ...keys: readonly unknown[]
): T {
  if (left[site] !== 0) descend(site, count, o, argument, keys);
  return value;
}

function descend(site: number, count: number, o: unknown, argument: unknown, keys: readonly unknown[]): void {
  spend(site);
  let at = o;
  let computed = 0;
  for (let point = site; point < site + count && isObject(at) && !types.isProxy(at); point++) {
    const named = siteInfo(point)?.key ?? null;
    const key = named ?? keys[computed++];
    // To make a key of an object would run its toString.
    if (isObject(key)) return;
    const next = dataOf(at, key as PropertyKey);
    // Methods are no state unless the object itself holds them.
    if (typeof next === 'function' && KEYED.has(key as string)) called(point, at, argument, true);
    else if (point > site && named !== null)
      hold(point, typeof next === 'function' ? Entry.Call : Entry.Read, at, null);
    else if (point > site && (typeof next !== 'function' || Object.hasOwn(at, key as PropertyKey)))
      hold(point, Entry.ReadKey, at, key);
    at = next;
  }
}

/** `{ a: { b } } = o`: the nested pattern at `path` (keys joined by dots) reads the fields of `count` points. */
export function dp<T>(site: number, count: number, path: string, o: T): T {
  if (left[site] !== 0) {
    spend(site);
    let at: unknown = o;
    for (const key of path.split('.')) at = isObject(at) && !types.isProxy(at) ? dataOf(at, key) : undefined;
    if (isObject(at)) hold(site, Entry.Group, at, count);
  }
  return o;
}
