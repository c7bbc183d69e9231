/**
 * Which typed arrays are shared memory. A view of a SharedArrayBuffer carries what is known of it in a property
 * that no program sees; that of everything else is null, found on a prototype. Instrumented code looks at the
 * property before it calls anything, so that accesses to other arrays cost one load.
 */
import { isSharedArrayBuffer } from 'node:util/types';
import { cellOf } from './cells.ts';
import type { Registry } from './registry.ts';
import { grownFrom, roomFor } from './wasm.ts';

/** The property. Instrumented code names it. */
export const MARK = '__shared';

/** A view of shared memory. */
export interface SharedView {
  /** Of its first byte. */
  readonly address: number;
  /** Bytes of an element; 1 for a DataView. */
  readonly width: number;
  /** The {@link cellOf cell} of the first element, and the step from each to the next. */
  readonly cell: number;
  readonly stride: number;
  readonly length: number;
  /** What reports call it; null: nobody has said yet. */
  name: string | null;
  /** The user named it. */
  named: boolean;
}

export type Marked = ArrayBufferView & { [MARK]?: SharedView | null };

/** Every object below `Object.prototype` is none, until it is looked at more closely. */
export function installMarks(realm: typeof globalThis = globalThis): void {
  define(realm.Object.prototype, null);
  define(Object.getPrototypeOf(realm.Int8Array.prototype) as object, undefined);
  define(realm.DataView.prototype, undefined);
}

function define(object: object, value: SharedView | null | undefined): void {
  Object.defineProperty(object, MARK, { value, writable: true, configurable: true, enumerable: false });
}

/** The shared views of a thread. */
export class Views {
  /** Those that were met in this execution, and those that last. */
  readonly all: SharedView[] = [];
  /** Called when this thread comes to shared memory that it did not know. */
  met = (): void => {};
  private lasting = 0;
  private readonly registry: Registry;
  private readonly buffers = new WeakMap<SharedArrayBuffer, number>();

  constructor(registry: Registry) {
    this.registry = registry;
  }

  /** Where a buffer begins; a new one gets the next free place. */
  addressOf(buffer: SharedArrayBuffer): number {
    let address = this.buffers.get(buffer);
    if (address === undefined) {
      const smaller = grownFrom(buffer);
      address = smaller ? this.addressOf(smaller) : this.registry.place(roomFor(buffer));
      this.buffers.set(buffer, address);
      this.met();
    }
    return address;
  }

  /** This buffer is the one that other threads know at `address`. */
  adopt(buffer: SharedArrayBuffer, address: number): void {
    this.buffers.set(buffer, address);
    this.met();
  }

  /** From here on views are met anew; those of now are kept. */
  keep(): void {
    this.lasting = this.all.length;
  }

  /** Forgets all but the views that last. */
  forget(): void {
    this.all.length = this.lasting;
  }

  /** What is known of a view; null where it is not shared memory. Marks it, so that this is asked once. */
  of(view: Marked): SharedView | null {
    const known = view[MARK];
    if (known !== undefined) return known;
    if (!ArrayBuffer.isView(view)) return null;
    const { buffer } = view;
    let shared: SharedView | null = null;
    if (isSharedArrayBuffer(buffer)) {
      const width = (view as unknown as Uint8Array).BYTES_PER_ELEMENT ?? 1;
      const address = this.addressOf(buffer) + view.byteOffset;
      shared = {
        address,
        width,
        cell: cellOf(address, width),
        stride: 2 * width,
        length: view.byteLength / width,
        name: null,
        named: false,
      };
      this.all.push(shared);
    }
    if (Object.isExtensible(view)) define(view, shared);
    return shared;
  }
}
