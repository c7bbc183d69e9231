/** Copies of what is handed to the code under test, and comes back from it. */

import { types } from 'node:util';
import { deserialize, serialize } from 'node:v8';

/** Larger results are not kept, characters of base64. */
const MOST_KEPT = 100_000;
/** Values are looked through up to so many parts. */
const MOST_PARTS = 5000;

class Uncopyable extends Error {}

/**
 * A copy of plain data; functions stay what they are. Two calls then have nothing in common but what the test's functions close over.
 * null: it holds something that has an identity.
 */
export function copied(args: readonly unknown[]): unknown[] | null {
  const known = new Map<object, unknown>();
  const copy = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    if (known.has(value)) return known.get(value);
    if (known.size > MOST_PARTS) throw new Uncopyable();
    const made = emptyLike(value);
    known.set(value, made);
    if (made instanceof Map)
      for (const [key, each] of value as Map<unknown, unknown>) made.set(copy(key), copy(each));
    else if (made instanceof Set) for (const each of value as Set<unknown>) made.add(copy(each));
    else if (Array.isArray(value) || isPlain(value))
      for (const key of Reflect.ownKeys(value)) {
        if (Array.isArray(value) && key === 'length') continue;
        const { get } = Reflect.getOwnPropertyDescriptor(value, key)!;
        if (get) throw new Uncopyable();
        (made as Record<PropertyKey, unknown>)[key] = copy((value as Record<PropertyKey, unknown>)[key]);
      }
    return made;
  };
  try {
    return args.map(copy);
  } catch (error) {
    if (error instanceof Uncopyable) return null;
    throw error;
  }
}

function emptyLike(value: object): unknown {
  if (Array.isArray(value))
    return Object.setPrototypeOf(new Array(value.length), Object.getPrototypeOf(value));
  if (isPlain(value)) return Object.create(Object.getPrototypeOf(value));
  if (Object.getPrototypeOf(value) === Map.prototype) return new Map();
  if (Object.getPrototypeOf(value) === Set.prototype) return new Set();
  if (types.isDate(value)) return new Date(Number(value));
  if (Buffer.isBuffer(value)) return Buffer.from(value);
  if (types.isUint8Array(value)) return value.slice();
  if (types.isRegExp(value) || value instanceof URL) return value;
  throw new Uncopyable();
}

/** Of whichever realm. */
export function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null) return true;
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, 'isPrototypeOf');
}

/** Keeps what a call gave, for other processes; null: it is more than plain data. */
export function kept(value: unknown): string | null {
  if (parts([value]).functions > 0 || copied([value]) === null) return null;
  try {
    const text = serialize(value).toString('base64');
    return text.length > MOST_KEPT ? null : text;
  } catch {
    return null;
  }
}

export const givenAgain = (text: string): unknown => deserialize(Buffer.from(text, 'base64'));

/** What values are made of. */
export interface Parts {
  readonly objects: ReadonlySet<object>;
  /** Texts and numbers by which something may be called. */
  readonly names: ReadonlySet<string | number | bigint>;
  readonly functions: number;
}

/** Shorter texts and smaller numbers are equal by chance. */
const SHORTEST_NAME = 6;
const LEAST_NUMBER = 100;

export function parts(values: readonly unknown[]): Parts {
  const objects = new Set<object>();
  const names = new Set<string | number | bigint>();
  let functions = 0;
  const look = (value: unknown): void => {
    if (typeof value === 'string' && value.length >= SHORTEST_NAME) names.add(value);
    else if (typeof value === 'number' && Math.abs(value) >= LEAST_NUMBER) names.add(value);
    else if (typeof value === 'bigint') names.add(value);
    else if (typeof value === 'function') functions += 1;
    if (typeof value !== 'object' || value === null || objects.has(value) || objects.size > MOST_PARTS)
      return;
    objects.add(value);
    if (value instanceof Map || value instanceof Set) for (const each of value) look(each);
    else if (Array.isArray(value)) for (const each of value) look(each);
    else if (isPlain(value)) for (const each of Object.values(value)) look(each);
  };
  for (const value of values) look(value);
  return { objects, names, functions };
}
