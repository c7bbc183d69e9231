/**
 * Keyed stores whose code nobody sees, such as an `LRUCache`, a `Headers` or the listeners of an emitter: a call of
 * `get`, `set` and their like is taken for an access to the entry that its first argument names, a call of `keys` or
 * `clear` for one to every entry that was named before. Where that is wrong it costs a forced order and reports nothing.
 */
import { types } from 'node:util';
import { elementKey } from './log.ts';
import type { Effect, StorePart } from './methods.ts';
import { holdAs } from './pending.ts';
import { isForeign, isNative } from './to-string.ts';

const READ: Effect = { read: ['key'] };
const WRITE: Effect = { write: ['key'] };
const TAKE: Effect = { read: ['key'], write: ['key'] };
const READ_ALL: Effect = { read: ['all'] };
const WRITE_ALL: Effect = { write: ['all'] };

const METHODS: Readonly<Record<string, Effect>> = {
  get: READ,
  has: READ,
  peek: READ,
  getAll: READ,
  getItem: READ,
  listenerCount: READ,
  listeners: READ,
  set: WRITE,
  put: WRITE,
  append: WRITE,
  setItem: WRITE,
  on: WRITE,
  once: WRITE,
  addListener: WRITE,
  delete: TAKE,
  del: TAKE,
  removeItem: TAKE,
  off: TAKE,
  removeListener: TAKE,
  keys: READ_ALL,
  values: READ_ALL,
  entries: READ_ALL,
  forEach: READ_ALL,
  clear: WRITE_ALL,
};

/** Calls of these get the hook of collections. */
export const STORE_METHODS: ReadonlySet<string> = new Set(Object.keys(METHODS));

/** What a store holds, as the target of accesses: its own fields are another matter. */
class StoreEntries {
  readonly #store: object;
  /** Keys that calls have named so far. */
  readonly named = new Set<PropertyKey>();
  constructor(store: object) {
    this.#store = store;
  }
  static storeOf(target: object): object | null {
    return #store in target ? target.#store : null;
  }
}

/** The store whose entries `target` stands for, or null. */
export const storeOf = StoreEntries.storeOf;

const known = new WeakMap<object, StoreEntries>();

/** Notes what the method `name` does to the entry `key` of `o`, where `o` is such a store; its budget is taken. */
export function storeCalled(site: number, o: object, name: string, key: unknown, hasKey: boolean): void {
  const effect = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (effect === undefined || !(types.isProxy(o) || isForeignMethod(o, name))) return;
  let entries = known.get(o);
  if (entries === undefined) known.set(o, (entries = new StoreEntries(o)));
  for (const part of effect.read ?? []) touch(site, false, entries, part, key, hasKey);
  for (const part of effect.write ?? []) touch(site, true, entries, part, key, hasKey);
}

function touch(
  site: number,
  write: boolean,
  entries: StoreEntries,
  part: StorePart,
  key: unknown,
  hasKey: boolean,
) {
  if (part === 'all') for (const named of entries.named) holdAs(site, write, entries, named);
  else if (hasKey) {
    const named = elementKey(key);
    entries.named.add(named);
    holdAs(site, write, entries, named);
  }
}

/**
 * Found without running a getter or a trap. What an object holds by itself and the engine made is no method of a store:
 * functions of the language, bound ones.
 */
function isForeignMethod(o: object, name: string): boolean {
  for (let at: object | null = o; at !== null; at = Object.getPrototypeOf(at)) {
    if (types.isProxy(at)) return false;
    const method: unknown = Object.getOwnPropertyDescriptor(at, name)?.value;
    if (method !== undefined)
      return typeof method === 'function' && (isForeign(method) || (at !== o && isNative(method)));
  }
  return false;
}
