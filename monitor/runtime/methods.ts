/** What the methods of built-in collections do to their receiver. */

/** Parts of a collection that a call touches: `key` is the first argument's element, `size` the member count. */
export interface Effect {
  readonly read?: readonly StorePart[];
  readonly write?: readonly StorePart[];
}
/**
 * `key`: the element named by the first argument. `size`: how many there are. `all`: every element. `aborted`: the
 * state of a signal.
 */
export type StorePart = 'key' | 'size' | 'all' | 'end' | 'time' | 'aborted';

const READ_ALL: Effect = { read: ['all'] };
const WRITE_ALL: Effect = { write: ['all'] };
const UPDATE_ALL: Effect = { read: ['all'], write: ['all'] };

const keyed: Record<string, Effect> = {
  get: { read: ['key'] },
  has: { read: ['key'] },
  delete: { read: ['key'], write: ['key', 'size'] },
  clear: WRITE_ALL,
  forEach: READ_ALL,
  keys: READ_ALL,
  values: READ_ALL,
  entries: READ_ALL,
};

const map: Record<string, Effect> = {
  ...keyed,
  set: { write: ['key', 'size'] },
};

const set: Record<string, Effect> = {
  ...keyed,
  add: { write: ['key', 'size'] },
  union: READ_ALL,
  intersection: READ_ALL,
  difference: READ_ALL,
  symmetricDifference: READ_ALL,
  isSubsetOf: READ_ALL,
  isSupersetOf: READ_ALL,
  isDisjointFrom: READ_ALL,
};

const readers = [
  'forEach map filter find findIndex findLast findLastIndex some every reduce reduceRight',
  'indexOf lastIndexOf includes join slice concat flat flatMap keys values entries toSorted toReversed',
  'toSpliced with',
]
  .join(' ')
  .split(' ');

const sequence: Record<string, Effect> = {
  ...Object.fromEntries(readers.map((name) => [name, READ_ALL])),
  at: { read: ['key'] },
  sort: UPDATE_ALL,
  reverse: UPDATE_ALL,
  copyWithin: UPDATE_ALL,
  fill: WRITE_ALL,
};

const array: Record<string, Effect> = {
  ...sequence,
  push: { write: ['end', 'size'] },
  pop: { read: ['size'], write: ['size'] },
  shift: UPDATE_ALL,
  unshift: UPDATE_ALL,
  splice: UPDATE_ALL,
};

/** Of a Buffer: `writeUInt8`, `readDoubleLE`, and the like; `write` and `copy` are more often those of streams and files. */
const buffer: Record<string, Effect> = Object.fromEntries(
  Object.getOwnPropertyNames(Buffer.prototype)
    .filter((name) => /^(read|write|swap)./.test(name))
    .map((name) => [name, name.startsWith('read') ? READ_ALL : WRITE_ALL] as const),
);

const typed: Record<string, Effect> = {
  ...sequence,
  ...buffer,
  set: WRITE_ALL,
  equals: READ_ALL,
  compare: READ_ALL,
  toString: READ_ALL,
  subarray: {},
};

const date: Record<string, Effect> = Object.fromEntries(
  Object.getOwnPropertyNames(Date.prototype)
    .filter((name) => /^(get|set|to|valueOf)/.test(name))
    .map((name) => [name, name.startsWith('set') ? { write: ['time'] } : { read: ['time'] }] as const),
);

const view: Record<string, Effect> = Object.fromEntries(
  Object.getOwnPropertyNames(DataView.prototype)
    .filter((name) => /^[gs]et/.test(name))
    .map((name) => [name, name.startsWith('set') ? { write: ['key'] } : { read: ['key'] }] as const),
);

const controller: Record<string, Effect> = { abort: { write: ['aborted'] } };
const signal: Record<string, Effect> = { throwIfAborted: { read: ['aborted'] } };

/** Effects by class of receiver, then by method name. */
export const EFFECTS = { map, set, array, typed, view, date, controller, signal } as const;
export type ReceiverClass = keyof typeof EFFECTS;

/** Every method name that some collection knows: such calls get the collection hook. */
export const COLLECTION_METHODS: ReadonlySet<string> = new Set(
  Object.values(EFFECTS).flatMap((table) => Object.keys(table)),
);

/** Methods that call their callback before they return: such callbacks belong to their caller. */
export const SYNCHRONOUS_CALLBACKS: ReadonlySet<string> = new Set(
  [
    'forEach map filter find findIndex findLast findLastIndex some every reduce reduceRight flatMap sort',
    'toSorted replace replaceAll from groupBy',
  ]
    .join(' ')
    .split(' '),
);
