/**
 * Shared memory of WebAssembly as JavaScript sees it: a SharedArrayBuffer, and another one whenever the memory has grown.
 * They are the same bytes. What WebAssembly code itself reads and writes is not seen.
 */
import { isSharedArrayBuffer } from 'node:util/types';

/** Addresses are kept for a memory up to this size; one that grows beyond it is another memory from then on. */
const ROOM = 1 << 24;

interface WasmMemory {
  readonly buffer: ArrayBufferLike;
}

const { Memory } = (
  globalThis as unknown as { WebAssembly: { Memory: { readonly prototype: WasmMemory } & Function } }
).WebAssembly;
const { get: bufferOf } = Object.getOwnPropertyDescriptor(Memory.prototype, 'buffer') as {
  get(this: WasmMemory): ArrayBufferLike;
};

/** The buffer of a memory when it was last looked at. */
const latest = new WeakMap<object, SharedArrayBuffer>();
/** Buffers of memories; each with the one before it, if the memory has grown. */
const before = new WeakMap<object, SharedArrayBuffer | null>();

/** The buffer of a memory that is shared; null: this is none. */
export function sharedMemory(value: object): SharedArrayBuffer | null {
  return value instanceof Memory ? noted(value as WasmMemory, bufferOf.call(value as WasmMemory)) : null;
}

function noted(memory: WasmMemory, buffer: ArrayBufferLike): SharedArrayBuffer | null {
  if (!isSharedArrayBuffer(buffer)) return null;
  if (!before.has(buffer)) before.set(buffer, latest.get(memory) ?? null);
  latest.set(memory, buffer);
  return buffer;
}

/** The buffer with the same first byte that is known already; null: there is none. */
export const grownFrom = (buffer: SharedArrayBuffer): SharedArrayBuffer | null =>
  buffer.byteLength <= ROOM ? (before.get(buffer) ?? null) : null;

/** So many bytes of the address space are a buffer's, as it may grow. */
export const roomFor = (buffer: SharedArrayBuffer): number =>
  before.has(buffer) ? Math.max(buffer.byteLength, ROOM) : buffer.maxByteLength;

/** From here on it is known of each buffer which memory it is of. */
export function watchMemories(): void {
  const get = function (this: WasmMemory): ArrayBufferLike {
    const buffer = bufferOf.call(this);
    noted(this, buffer);
    return buffer;
  };
  Object.defineProperty(get, 'name', { value: 'get buffer' });
  Object.defineProperty(Memory.prototype, 'buffer', { get, configurable: true, enumerable: true });
}
