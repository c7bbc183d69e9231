/** What the kernel answered, made safe to be delivered later. */

import type { HostRequests } from './controller.ts';
import type { FsBinding } from './fs-binding.ts';
import type { FileTimes } from './fs-times.ts';

/**
 * Gives the function that takes an answer over on arrival. C11: Node hands stat results out in a buffer that
 * the next stat overwrites, so it is copied. C13: file times are moved into the run's time domain.
 */
export function answerKeeper(
  binding: FsBinding,
  controller: HostRequests,
  times: FileTimes,
): (value: unknown) => unknown {
  const shared = new Set<unknown>([
    binding.statValues,
    binding.bigintStatValues,
    binding.statFsValues,
    binding.bigintStatFsValues,
  ]);
  return (value) => {
    if (!shared.has(value)) return value;
    const stats = value as Float64Array | BigInt64Array;
    const own = controller.rules.copies ? stats.slice() : stats;
    if (controller.rules.clocks) times.tell(own);
    return own;
  };
}
