/** Hooks of calls of collection methods, and of what runs over a collection. */
import { types } from 'node:util';
import { elementKey, isObject } from './log.ts';
import { EFFECTS, type ReceiverClass, type StorePart } from './methods.ts';
import { Entry, hold, holdAs } from './pending.ts';
import { left, siteInfo, spend } from './points.ts';
import { storeCalled } from './stores.ts';

/** Elements logged one by one when a whole collection is read or written; larger ones by their size only. */
const ELEMENTS = 16;

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
  if (ArrayBuffer.isView(o)) return 'view';
  if (types.isWeakMap(o)) return 'map';
  if (types.isWeakSet(o)) return 'set';
  const prototype: unknown = Object.getPrototypeOf(o);
  if (prototype === AbortController.prototype) return 'controller';
  return prototype === AbortSignal.prototype ? 'signal' : null;
}

const signalOf = Object.getOwnPropertyDescriptor(AbortController.prototype, 'signal')!.get!;

function method(site: number, o: unknown, key: unknown, hasKey: boolean) {
  spend(site);
  if (isObject(o)) called(site, o, key, hasKey);
}

/** Notes what the method that the point names does to `o`; its budget is taken. */
export function called(site: number, o: object, key: unknown, hasKey: boolean) {
  const name = siteInfo(site)?.key ?? '';
  const kind = types.isProxy(o) ? null : classOf(o);
  const effect = kind === null ? undefined : EFFECTS[kind][name];
  if (kind === null || effect === undefined) {
    hold(site, Entry.Call, o, null);
    if (kind === null) storeCalled(site, o, name, key, hasKey);
    return;
  }
  for (const part of effect.read ?? []) touch(site, false, o, kind, part, key, hasKey);
  for (const part of effect.write ?? []) touch(site, true, o, kind, part, key, hasKey);
}

function touch(
  site: number,
  write: boolean,
  o: any,
  kind: ReceiverClass,
  part: StorePart,
  key: unknown,
  hasKey: boolean,
) {
  const isList = kind === 'array' || kind === 'typed';
  const size = isList ? 'length' : 'size';
  switch (part) {
    case 'time':
      return holdAs(site, write, o, 'time');
    case 'aborted':
      return holdAs(site, write, kind === 'controller' ? signalOf.call(o) : o, 'aborted');
    case 'key':
      if (!hasKey) return;
      if (!isList) return holdAs(site, write, o, elementKey(key));
      // Counted from the end: how many there are says which it is.
      if (indexOf(key) < 0) holdAs(site, write, o, size);
      return holdAs(site, write, o, String(indexOf(key) < 0 ? o.length + indexOf(key) : indexOf(key)));
    case 'end':
      return holdAs(site, write, o, String(o.length));
    case 'size':
      // Nobody can ask how many there are.
      if (types.isWeakMap(o) || types.isWeakSet(o)) return;
      // Setting an entry that is there does not change the size.
      if (write && isSizeKept(o, kind, siteInfo(site)?.key, key)) return;
      return holdAs(site, write, o, size);
    case 'all':
      holdAs(site, write, o, size);
      for (const element of elements(o, kind)) holdAs(site, write, o, element);
  }
}

/** Converting an object would run its code, converting a symbol would throw. */
function indexOf(key: unknown): number {
  return typeof key === 'number' || typeof key === 'string' ? Math.trunc(Number(key)) || 0 : 0;
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
  if (left[site] !== 0) {
    spend(site);
    everything(site, iterable);
  }
  return iterable;
}

function hasElements(kind: ReceiverClass): boolean {
  return kind === 'array' || kind === 'typed' || kind === 'map' || kind === 'set';
}

/** All of a collection is read; the budget of the point is taken. */
export function everything(site: number, o: unknown): void {
  if (!isObject(o) || types.isProxy(o)) return;
  const kind = classOf(o);
  if (kind !== null && hasElements(kind)) touch(site, false, o, kind, 'all', undefined, false);
}
