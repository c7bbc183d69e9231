/** Node's file-system binding: the very object that Node's own JavaScript calls, so nothing goes round it. */

import { bindingOf } from './bindings.ts';
import type { AsyncObject } from './context.ts';

/** A request object: the kernel's answer arrives at `oncomplete` in a macrotask of its own. */
export interface FsReq extends AsyncObject {
  oncomplete: ((...answer: unknown[]) => void) | null;
}

export type FsCall = (this: unknown, ...args: unknown[]) => unknown;

export interface FsBinding {
  readonly kUsePromises: symbol;
  readonly FSReqCallback: new (bigint?: boolean) => FsReq;
  FileHandle: { new (fd: number): object; prototype: { close(): Promise<void> } };
  readonly statValues: Float64Array;
  readonly bigintStatValues: BigInt64Array;
  readonly statFsValues: Float64Array;
  readonly bigintStatFsValues: BigInt64Array;
  [name: string]: unknown;
}

/** The live binding. Throws where a Node took it away, so that the caller can say so. */
export function fsBinding(): FsBinding {
  const binding = bindingOf('fs');
  if (typeof binding?.open !== 'function' || typeof binding.FSReqCallback !== 'function')
    throw new Error(`Node ${process.version} gives no access to its file-system binding`);
  return binding;
}
