/** What a server and a pipe from outside need of the one who knows all ends of the run. */

import type { HostDoubts, HostLiveness, HostRequests } from '../controller.ts';
import type { RequestOrigin } from '../naming.ts';
import type { Call, Handle, NetBinding } from './binding.ts';
import type { End } from './end.ts';
import type { ReadThen } from './whole-reads.ts';

export interface Ends {
  readonly controller: HostRequests & HostLiveness & HostDoubts;
  readonly binding: NetBinding;
  /** Runs a function natively in a fresh macrotask. */
  readonly later: (fn: () => void) => void;
  /** Methods as they were, of all prototypes. */
  readonly raw: Readonly<Record<string, Call>>;
  /** Ends of this run, by handle; after the run their handles are native again. */
  readonly ends: Map<Handle, End>;
  /** The program is told that this end is connected. */
  connected(end: End): void;
  /** What comes over this handle is not controlled; by default because its peer lies outside of this process. */
  stranger(handle: Handle | undefined, what?: string): void;
  /** The bytes or the end that `end` now has to read were made by the running code. */
  tell(end: End | null, news?: RequestOrigin | null): void;
  /** Offers the read of an end that has become readable. */
  wake(end: End): void;
  /** Lets Node read once: at most one buffer, as natively. */
  readOnce(end: End, handle: Handle, then: ReadThen): void;
}
