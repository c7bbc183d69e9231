/**
 * Structures in shared memory. A {@link Part} says how many bytes something takes and how each thread builds
 * its own objects over those bytes; zeros are the initial state of everything. Names of fields become names of
 * entities: the field `balance` of a record attached as `account` is `account.balance` in reports.
 */
import { nameShared, type SharedPlace } from '../annotate.ts';

/** Where something lives in shared memory. */
export interface Region {
  readonly buffer: SharedArrayBuffer;
  /** In bytes; a multiple of 8. */
  readonly offset: number;
  /** In reports and errors. */
  readonly name: string;
}

/** Something that lives in shared memory. */
export interface Part<T> {
  readonly bytes: number;
  /** Builds this thread's view of it. */
  readonly attach: (region: Region) => T;
}

/** What a part becomes when it is attached. */
export type Attached<P> = P extends Part<infer T> ? T : never;

type Fields = Readonly<Record<string, Part<any>>>;
/** What the fields of a record become. */
export type AttachedFields<F extends Fields> = { readonly [K in keyof F]: Attached<F[K]> };

type ViewClass<V> = {
  readonly BYTES_PER_ELEMENT: number;
  new (buffer: SharedArrayBuffer, offset: number, length: number): V;
};

const views =
  <V extends SharedPlace>(View: ViewClass<V>) =>
  (length = 1): Part<V> => ({
    bytes: length * View.BYTES_PER_ELEMENT,
    attach: ({ buffer, offset, name }) => {
      return nameShared(new View(buffer, offset, length), name);
    },
  });

/** `length` numbers; a single one is read as `field[0]`. */
export const int32 = views<Int32Array>(Int32Array);
export const uint8 = views<Uint8Array>(Uint8Array);
export const float64 = views<Float64Array>(Float64Array);
export const bigint64 = views<BigInt64Array>(BigInt64Array);

/** Fields side by side; `build` makes what threads work with out of them, by default the fields themselves. */
export function record<F extends Fields>(fields: F): Part<AttachedFields<F>>;
export function record<F extends Fields, T>(fields: F, build: (fields: AttachedFields<F>) => T): Part<T>;
export function record<F extends Fields>(
  fields: F,
  build: (fields: AttachedFields<F>) => unknown = (attached) => attached,
): Part<unknown> {
  let bytes = 0;
  const offsets = Object.entries(fields).map(([field, part]) => {
    const offset = bytes;
    bytes += aligned(part.bytes);
    return { field, part, offset };
  });
  return {
    bytes,
    attach: ({ buffer, offset, name }) => {
      const within = (field: string) => (name === '' ? field : `${name}.${field}`);
      const attached = offsets.map(({ field, part, offset: at }) => [
        field,
        part.attach({ buffer, offset: offset + at, name: within(field) }),
      ]);
      return build(Object.fromEntries(attached));
    },
  };
}

/** `length` parts of one kind, called `name[0]`, `name[1]`, … */
export function list<T>(part: Part<T>, length: number): Part<readonly T[]> {
  const stride = aligned(part.bytes);
  return {
    bytes: stride * length,
    attach: ({ buffer, offset, name }) =>
      Array.from({ length }, (_, at) =>
        part.attach({ buffer, offset: offset + at * stride, name: `${name}[${at}]` }),
      ),
  };
}

/** Shared memory of its own for a part; hand it to the threads, which {@link attach} to it. */
export const allocate = (part: Part<unknown>): SharedArrayBuffer =>
  new SharedArrayBuffer(aligned(part.bytes));

/** This thread's view of a part at the beginning of `buffer`. */
export const attach = <T>(part: Part<T>, buffer: SharedArrayBuffer, name = ''): T =>
  part.attach({ buffer, offset: 0, name });

function aligned(bytes: number): number {
  return Math.ceil(bytes / 8) * 8;
}
