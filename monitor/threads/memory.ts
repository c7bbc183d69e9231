/** The shared memory that a harness makes, which may be any structure with buffers and views in it. */
import { isMap, isSet, isSharedArrayBuffer } from 'node:util/types';
import type { Marked, Views } from './views.ts';
import { sharedMemory } from './wasm.ts';

/** Every shared buffer (of a memory of WebAssembly, too), view of one, and port below a value, each once, in an order that a clone has as well. */
export function sharedParts(value: unknown): {
  buffers: SharedArrayBuffer[];
  views: Marked[];
  ports: InstanceType<typeof MessagePort>[];
} {
  const buffers = new Set<SharedArrayBuffer>();
  const views = new Set<Marked>();
  const ports = new Set<InstanceType<typeof MessagePort>>();
  const seen = new Set<object>();
  const walk = (part: unknown): void => {
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    const memory = sharedMemory(part);
    if (memory) buffers.add(memory);
    else if (isSharedArrayBuffer(part)) buffers.add(part);
    else if (part instanceof MessagePort) ports.add(part);
    else if (ArrayBuffer.isView(part)) {
      if (!isSharedArrayBuffer(part.buffer)) return;
      buffers.add(part.buffer);
      views.add(part as Marked);
    } else if (isMap(part)) {
      for (const [key, each] of part) {
        walk(key);
        walk(each);
      }
    } else if (isSet(part)) for (const each of part) walk(each);
    else for (const each of Object.values(part)) walk(each);
  };
  walk(value);
  return { buffers: [...buffers], views: [...views], ports: [...ports] };
}

/** Makes a thread's clone of the memory known under the addresses that all threads use. */
export function adoptMemory(memory: unknown, addresses: readonly number[], views: Views): void {
  const parts = sharedParts(memory);
  for (const [at, buffer] of parts.buffers.entries()) views.adopt(buffer, addresses[at]!);
  for (const view of parts.views) views.of(view);
  views.keep();
}

/** Whether two structures are alike but for what stands in their buffers. */
export function sameShape(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (isSharedArrayBuffer(a)) return a.byteLength === (b as SharedArrayBuffer).byteLength;
  if (ArrayBuffer.isView(a)) {
    const other = b as ArrayBufferView;
    return (
      isSharedArrayBuffer(a.buffer) &&
      a.byteOffset === other.byteOffset &&
      a.byteLength === other.byteLength &&
      sameShape(a.buffer, other.buffer)
    );
  }
  if (!Array.isArray(a) && Object.getPrototypeOf(a) !== Object.prototype) return false;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(([key, value], at) => right[at]![0] === key && sameShape(value, right[at]![1]))
  );
}

/** Copies what stands in the buffers of a structure into those of another of the same shape. */
export function copyContents(from: unknown, into: readonly SharedArrayBuffer[]): void {
  for (const [at, buffer] of sharedParts(from).buffers.entries())
    new Uint8Array(into[at]!).set(new Uint8Array(buffer));
}
