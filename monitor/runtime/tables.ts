/**
 * Objects that are used as tables: plain ones, whose fields come and go. Which fields such an object has is state of its
 * own: `Object.keys(o)` reads it; a write that adds a field changes it, and so does `delete`.
 *
 * Hooks do not ask whether a field is there: that would be a call in the user's code, where even rare ones are dear. What is
 * told is compared with the fields that there were when the object was looked at last. Between two such looks lies one
 * stretch that nothing can interrupt, so the first write of a stretch may stand for all of it.
 */
import { types } from 'node:util';

/** The key of the entity. */
export const KEYS: unique symbol = Symbol('keys');

/** Of a table with more fields, only how many there are is compared. */
const FIELDS = 16;

/** By table: its fields when it was looked at last. */
const fields = new WeakMap<object, readonly string[] | number>();

/** What plain objects inherit from, in each realm. */
const plain = new WeakSet<object>([Object.prototype]);

/** Plain objects of this realm may be tables. */
export const adoptObjects = (realm: typeof globalThis): void => void plain.add(realm.Object.prototype);

export function isTable(o: object): boolean {
  if (types.isProxy(o)) return false;
  const prototype: object | null = Object.getPrototypeOf(o);
  return prototype === null ? !types.isModuleNamespaceObject(o) : plain.has(prototype);
}

/** Whether nobody has looked at the table yet. */
export const isNew = (table: object): boolean => !fields.has(table);

/** Looks at the fields of a table; whether these are others than before, or nobody knows. */
export function hasChanged(table: object): boolean {
  const before = fields.get(table);
  const keys = Object.keys(table);
  if (isSame(before, keys)) return false;
  fields.set(table, keys.length <= FIELDS ? keys : keys.length);
  return true;
}

/** Names of fields are interned: comparing each of a few is cheaper than joining them. */
function isSame(before: readonly string[] | number | undefined, keys: readonly string[]): boolean {
  if (keys.length > FIELDS || typeof before !== 'object') return before === keys.length;
  if (before.length !== keys.length) return false;
  for (let at = 0; at < keys.length; at++) if (before[at] !== keys[at]) return false;
  return true;
}
