/**
 * Accesses wait in columns until something else happens that has a place in the order: an activation begins,
 * ends, suspends or resumes, a lock changes hands, somebody asks who is current.
 *
 * Writing into a column is all that a hook does in its caller's code. A call there, however rare, would make
 * the compiler forget what it knows about the caller's objects, for good: 2.5 times slower on object graphs.
 *
 * Invariant: nobody changes the current activation or speaks to sink or observer without {@link flush}.
 */
import { types } from 'node:util';
import { exportingScope } from './exports.ts';
import { bornAt } from './identity.ts';
import { isObject, tell } from './log.ts';
import { isSpent, left, mute, siteInfo } from './points.ts';
import { hasChanged, isNew, isTable, KEYS } from './tables.ts';

/**
 * How a waiting entry is read. The first six are three kinds of access, first by static and then by computed
 * key. `key` is the computed key, the scope of a variable, or a count of points. */
export const Entry = {
  /** The field that the point names. */
  Read: 0,
  Write: 1,
  Update: 2,
  /** The field that `key` names. */
  ReadKey: 3,
  WriteKey: 4,
  UpdateKey: 5,
  /** Fields of `key` points, this one the first. */
  Group: 6,
  /** A method call. */
  Call: 7,
  ReadVariable: 8,
  WriteVariable: 9,
  Birth: 10,
  /** `key` is the key of the access as it is. */
  ReadAs: 11,
  WriteAs: 12,
  /** `key` is the file that exports the variable. */
  ReadImport: 13,
} as const;

/** More than a stretch writes unless hundreds of points use up their budgets in it. */
const CAPACITY = 1 << 16;

const waiting = new Int32Array(1);
const sites = new Int32Array(CAPACITY);
const entries = new Uint8Array(CAPACITY);
const objects: unknown[] = new Array(CAPACITY).fill(null);
const keys: unknown[] = new Array(CAPACITY).fill(null);

/** Notes an access of a point that has budget left, and takes it from the budget. */
export function note(site: number, entry: number, o: unknown, key: unknown): void {
  left[site]!--;
  hold(site, entry, o, key);
}

/** Notes something that has a budget of its own. A full column drops it: there is no cheap way to say so here. */
export function hold(site: number, entry: number, o: unknown, key: unknown): void {
  const n = waiting[0]!;
  if (n < CAPACITY) {
    sites[n] = site;
    entries[n] = entry;
    objects[n] = o;
    keys[n] = key;
    waiting[0] = n + 1;
  } else if (n > CAPACITY) tellNow(site, entry, o, key);
}

/** Notes an access whose budget is taken and whose key is known. */
export function holdAs(site: number, write: boolean, o: object, key: PropertyKey | null): void {
  hold(site, write ? Entry.WriteAs : Entry.ReadAs, o, key);
}

/** Tells the sink each access when it happens, so that it can look at the stack; or (false) lets them wait again. */
export function setImmediacy(on: boolean): void {
  flush();
  waiting[0] = on ? CAPACITY + 1 : 0;
}

function tellNow(site: number, entry: number, o: unknown, key: unknown): void {
  deliver(site, entry, o, key);
  if (left[site] === 0 && entry !== Entry.Birth) isSpent(site);
}

/** Tells the sink everything that waits. */
export function flush(): void {
  if (waiting[0] !== 0) drain();
}

function drain(): void {
  const n = waiting[0]!;
  if (n > CAPACITY) return;
  waiting[0] = 0;
  for (let i = 0; i < n; i++) {
    const site = sites[i]!;
    const o = objects[i];
    const key = keys[i];
    objects[i] = null;
    keys[i] = null;
    const entry = entries[i]!;
    deliver(site, entry, o, key);
    if (left[site] === 0 && entry !== Entry.Birth) isSpent(site);
  }
}

function deliver(site: number, entry: number, o: unknown, key: unknown): void {
  if (entry === Entry.ReadVariable || entry === Entry.WriteVariable) {
    variable(site, entry === Entry.WriteVariable, key as number | undefined);
  } else if (entry === Entry.ReadImport) imported(site, key as string);
  else if (!isObject(o)) return;
  else if (entry === Entry.Birth) {
    bornAt(o, site);
    if (isTable(o) && isNew(o)) hasChanged(o);
  } else if (entry === Entry.Group) group(site, key as number, o);
  else if (entry === Entry.Call) called(site, o);
  else if (entry === Entry.ReadAs) tell(site, false, o, key as PropertyKey | null);
  else if (entry === Entry.WriteAs) written(site, o, key as PropertyKey | null);
  else {
    const name = entry >= Entry.ReadKey ? keyOf(key) : (siteInfo(site)?.key ?? null);
    const kind = entry % Entry.ReadKey;
    if (kind !== Entry.Write) tell(site, false, o, name);
    if (kind === Entry.Write) written(site, o, name);
    else if (kind === Entry.Update) updated(site, o, name);
  }
}

/** Converting an object to a key would run its toString. */
function keyOf(key: unknown): PropertyKey | null {
  if (isObject(key)) return null;
  return typeof key === 'symbol' ? key : String(key);
}

function group(site: number, count: number, o: object): void {
  let lastRead: string | null = null;
  for (let at = site; at < site + count; at++) {
    const info = siteInfo(at);
    const key = info?.key ?? null;
    if (info?.access !== 'write') tell(at, false, o, (lastRead = key));
    else if (key === lastRead) updated(at, o, key);
    else written(at, o, key);
  }
}

/** What is read before it is written was there, as a rule. */
function updated(site: number, o: object, key: PropertyKey | null): void {
  if (isTable(o) && isNew(o)) hasChanged(o);
  written(site, o, key);
}

/** A field was written, or is about to be where each access is told when it happens. */
function written(site: number, o: object, key: PropertyKey | null): void {
  tell(site, true, o, key);
  if (!isTable(o)) return;
  const isImmediate = waiting[0]! > CAPACITY;
  if (isImmediate ? key !== null && !Object.hasOwn(o, key) : hasChanged(o)) tell(site, true, o, KEYS);
}

/** A method call reads a field only where the object itself holds the function. */
function called(site: number, o: object): void {
  // Asking a proxy for its own keys would run a trap.
  if (types.isProxy(o)) return;
  const key = siteInfo(site)?.key ?? null;
  if (key !== null && Object.hasOwn(o, key)) tell(site, false, o, key);
}

function imported(site: number, file: string) {
  const name = siteInfo(site)?.key ?? '';
  const scope = exportingScope(file, name);
  if (scope === undefined) mute(site);
  else tell(site, false, scope, name);
}

function variable(site: number, write: boolean, scope: number | undefined): void {
  // Undefined before the module body has begun (functions are hoisted over import cycles).
  if (scope !== undefined) tell(site, write, scope, siteInfo(site)?.key ?? null);
}
