/** Names of entities, made only when somebody asks. */

import { types } from 'node:util';
import type { Entity } from '../../data/trace.ts';
import { birthplace } from './identity.ts';
import { madeIn } from './points.ts';
import { storeOf } from './stores.ts';
import { KEYS } from './tables.ts';
import { scopeSite } from './variables.ts';

/** `Class#field`, `Object@file.ts:12#field`, `file.ts:variable`, `Map@file.ts:12[key]`. */
export function entityName(target: object | number, key: PropertyKey | null): string {
  if (typeof target === 'number') return `${madeIn(scopeSite(target))?.file ?? '?'}:${shown(key)}`;
  const store = storeOf(target);
  if (store !== null) return `${ownerName(store)}[${shown(key)}]`;
  const owner = ownerName(target);
  if (isCollection(target)) return isSize(key) ? `${owner}#${shown(key)}` : `${owner}[${shown(key)}]`;
  if (key === null) return owner;
  if (key === KEYS) return `${owner} (keys)`;
  // A private name brings its own sign.
  return typeof key === 'string' && key.startsWith('#') ? `${owner}${key}` : `${owner}#${shown(key)}`;
}

/** What kind of thing the entity is. */
export function entityKind(target: object | number, key: PropertyKey | null): Entity['kind'] {
  if (typeof target === 'number') return 'variable';
  if (key === null) return 'opaque';
  return storeOf(target) !== null || (isCollection(target) && !isSize(key)) ? 'element' : 'property';
}

const globals = new WeakSet<object>([globalThis]);

/** The global object of another realm is called like that of this one. */
export const adoptGlobal = (realm: typeof globalThis): void => void globals.add(realm);

/** `Account`, or for anonymous shapes where it was made: `Map@file.ts:12`. */
export function ownerName(target: object): string {
  if (globals.has(target)) return 'globalThis';
  if (target === process.env) return 'process.env';
  const name = className(target);
  if (!ANONYMOUS.has(name)) return name;
  const place = madeIn(birthplace(target));
  return place === undefined ? name : `${name}@${place.file}:${place.line}`;
}

const ANONYMOUS: ReadonlySet<string> = new Set(
  'Object Array Map Set WeakMap WeakSet Date Function Buffer ArrayBuffer SharedArrayBuffer DataView'
    .split(' ')
    .concat(
      Object.getOwnPropertyNames(globalThis).filter((name) =>
        /^(Big)?(Int|Uint|Float)\d+\w*Array$/.test(name),
      ),
    ),
);

/** Class names by prototype: a program has many objects and few classes. */
const classNames = new WeakMap<object, string>();

/** The name of the constructor, found without running a getter or a trap. */
function className(o: object): string {
  if (types.isProxy(o)) return 'Proxy';
  if (typeof o === 'function') return functionName(o) || 'Function';
  const prototype: object | null = Object.getPrototypeOf(o);
  if (prototype === null) return 'Object';
  let name = classNames.get(prototype);
  if (name === undefined) {
    name = nameOfPrototype(prototype);
    classNames.set(prototype, name);
  }
  return name;
}

function nameOfPrototype(prototype: object): string {
  for (let at: object | null = prototype; at !== null; at = Object.getPrototypeOf(at)) {
    if (types.isProxy(at)) return 'Proxy';
    const made: unknown = Object.getOwnPropertyDescriptor(at, 'constructor')?.value;
    if (typeof made === 'function') return functionName(made) || 'Object';
  }
  return 'Object';
}

function functionName(f: Function): string {
  const name: unknown = types.isProxy(f) ? '' : Object.getOwnPropertyDescriptor(f, 'name')?.value;
  return typeof name === 'string' ? name : '';
}

function isCollection(o: object): boolean {
  return Array.isArray(o) || types.isMap(o) || types.isSet(o) || isWeak(o) || ArrayBuffer.isView(o);
}

function isWeak(o: object): boolean {
  return types.isWeakMap(o) || types.isWeakSet(o);
}

function isSize(key: PropertyKey | null): boolean {
  return key === 'length' || key === 'size';
}

/** Made by chance: a UUID, a long number in hexadecimal, and what mixes both cases with digits at length. */
const RANDOM =
  /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$|^(?=.*\d)(?=.*[a-f])[\da-f]{16,}$|^(?=.*\d)(?=.*[a-z])(?=.*[A-Z])[\w-]{20,}$/;

/** A key made by chance is another one in each run: names, and ids of bugs with them, must not be. */
function shown(key: PropertyKey | null): string {
  if (key === null) return '*';
  if (typeof key === 'symbol') return key.description ?? 'symbol';
  return RANDOM.test(String(key)) ? '<id>' : String(key);
}
