/** What every part of the wrapped file system works with. */
import type { AroundWork } from './around-work.ts';
import type { Capture } from './context.ts';
import type { HostRequests } from './controller.ts';
import type { FsBinding, FsCall } from './fs-binding.ts';
import type { FileTimes } from './fs-times.ts';

export interface FsHost {
  readonly binding: FsBinding;
  /** The binding's own functions, as they were. */
  readonly raw: Readonly<Record<string, FsCall>>;
  readonly controller: HostRequests;
  readonly around: AroundWork;
  readonly capture: Capture;
  readonly times: FileTimes;
  /** Takes an answer over on arrival. */
  readonly keep: (value: unknown) => unknown;
  /** Runs a function natively in a fresh macrotask. */
  readonly later: (fn: () => void) => void;
}

/** Settles an operation the way its caller asked for: a request object or a promise. */
export type Settle = (error: unknown, ...values: unknown[]) => void;
