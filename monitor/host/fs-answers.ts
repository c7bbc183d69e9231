/** What the kernel answered, made safe to be delivered later. */
import type { FsBinding } from './fs-binding.ts';
import type { HostController } from './request.ts';

/** Seconds and nanoseconds of atime, mtime, ctime and birthtime in Node's array of stat fields. */
const TIME_FIELDS = [10, 12, 14, 16];
/** Length of one set of stat fields; statfs answers are shorter and carry no times. */
const STAT_FIELDS = 18;

/**
 * Gives the function that takes an answer over on arrival. C11: Node hands stat results out in a buffer that
 * the next stat overwrites, so it is copied. C13: file times are moved into the run's time domain.
 */
export function answerKeeper(binding: FsBinding, controller: HostController): (value: unknown) => unknown {
  const shared = new Set<unknown>([
    binding.statValues,
    binding.bigintStatValues,
    binding.statFsValues,
    binding.bigintStatFsValues,
  ]);
  return (value) => {
    if (!shared.has(value)) return value;
    const own = controller.rules.copies ? (value as Float64Array | BigInt64Array).slice() : value;
    if (controller.rules.clocks) moveTimes(own, controller);
    return own;
  };
}

function moveTimes(value: unknown, controller: HostController): void {
  if (value instanceof Float64Array && value.length >= STAT_FIELDS) {
    for (const at of TIME_FIELDS) {
      const real = value[at]! * 1e3 + value[at + 1]! / 1e6;
      const virtual = controller.virtualTime(real);
      if (virtual === real) continue;
      value[at] = Math.floor(virtual / 1e3);
      value[at + 1] = Math.round((virtual % 1e3) * 1e6);
    }
  } else if (value instanceof BigInt64Array && value.length >= STAT_FIELDS) {
    for (const at of TIME_FIELDS) {
      const real = Number(value[at]) * 1e3 + Number(value[at + 1]) / 1e6;
      const virtual = controller.virtualTime(real);
      if (virtual === real) continue;
      value[at] = BigInt(Math.floor(virtual / 1e3));
      value[at + 1] = BigInt(Math.round((virtual % 1e3) * 1e6));
    }
  }
}
