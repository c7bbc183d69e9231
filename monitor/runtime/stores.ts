/**
 * Keyed stores whose code nobody sees, such as an `LRUCache` or a `Headers`: a call of `get`, `set` and their like is
 * taken for an access to the entry that its first argument names. Where that is wrong it costs a forced order and
 * reports nothing.
 */
import { types } from 'node:util';
import { elementKey } from './log.ts';
import type { Effect } from './methods.ts';
import { holdAs } from './pending.ts';
import { isForeign } from './to-string.ts';

const READ: Effect = { read: ['key'] };
const WRITE: Effect = { write: ['key'] };
const TAKE: Effect = { read: ['key'], write: ['key'] };

const METHODS: Readonly<Record<string, Effect>> = {
  get: READ,
  has: READ,
  peek: READ,
  getItem: READ,
  set: WRITE,
  put: WRITE,
  setItem: WRITE,
  delete: TAKE,
  del: TAKE,
  removeItem: TAKE,
};

/** Calls of these get the hook of collections. */
export const STORE_METHODS: ReadonlySet<string> = new Set(Object.keys(METHODS));

/** What a store holds, as the target of accesses: its own fields are another matter. */
class Entries {
  readonly #store: object;
  constructor(store: object) {
    this.#store = store;
  }
  static storeOf(target: object): object | null {
    return #store in target ? target.#store : null;
  }
}

/** The store whose entries `target` stands for, or null. */
export const storeOf = Entries.storeOf;

const known = new WeakMap<object, Entries>();

/** Notes what the method `name` does to the entry `key` of `o`, where `o` is such a store; its budget is taken. */
export function storeCalled(site: number, o: object, name: string, key: unknown): void {
  const effect = Object.hasOwn(METHODS, name) ? METHODS[name] : undefined;
  if (effect === undefined || !isForeignMethod(o, name)) return;
  let entries = known.get(o);
  if (entries === undefined) known.set(o, (entries = new Entries(o)));
  if (effect.read) holdAs(site, false, entries, elementKey(key));
  if (effect.write) holdAs(site, true, entries, elementKey(key));
}

/** Found without running a getter or a trap. */
function isForeignMethod(o: object, name: string): boolean {
  for (let at: object | null = o; at !== null; at = Object.getPrototypeOf(at)) {
    if (types.isProxy(at)) return false;
    const method: unknown = Object.getOwnPropertyDescriptor(at, name)?.value;
    if (method !== undefined) return typeof method === 'function' && isForeign(method);
  }
  return false;
}
