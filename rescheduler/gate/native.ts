/** The host's own clocks and timers, taken before anything is wrapped. */
import { ScopeReader } from '../../monitor/host/scope-reader.ts';
import { setAsOurs } from '../../monitor/host/timer-owner.ts';

const { performance } = globalThis;
const { now } = performance;
const { setImmediate, setTimeout, clearTimeout } = globalThis;
const { nextTick } = process;

/** Threads of libuv's pool (C10); read when the process starts, as libuv does. */
export const POOL_SIZE = Math.min(1024, Math.max(1, Number(process.env['UV_THREADPOOL_SIZE']) || 4));

export const native = {
  setImmediate,
  setTimeout: (fn: () => void, ms: number): NodeJS.Timeout => setAsOurs(() => setTimeout(fn, ms)),
  clearTimeout,
  nextTick: (fn: () => void): void => nextTick.call(process, fn),
  /** Monotonic ms. */
  now: (): number => now.call(performance),
  /** ms of the epoch. */
  date: Date.now,
  /** Drains ticks and microtasks, as Node does after every callback of the host. */
  drain: tickCallback(),
};

/** `process._tickCallback`; what stands behind it where it warns of being deprecated (`--pending-deprecation`). */
function tickCallback(): () => void {
  const given = (process as unknown as { _tickCallback(): void })._tickCallback;
  if (!String(given).includes('emitDeprecationWarning')) return given;
  const reader = new ScopeReader();
  try {
    return reader.scopes(given, ['fn'])['fn'];
  } finally {
    reader.close();
  }
}
