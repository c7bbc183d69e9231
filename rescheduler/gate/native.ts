/** The host's own clocks and timers, taken before anything is wrapped. */
const { performance } = globalThis;
const { now } = performance;
const { setImmediate, setTimeout, clearTimeout } = globalThis;

/** Threads of libuv's pool (C10); read when the process starts, as libuv does. */
export const POOL_SIZE = Math.min(1024, Math.max(1, Number(process.env['UV_THREADPOOL_SIZE']) || 4));

export const native = {
  setImmediate,
  setTimeout,
  clearTimeout,
  /** Monotonic ms. */
  now: (): number => now.call(performance),
  /** ms of the epoch. */
  date: Date.now,
  /** Drains ticks and microtasks, as Node does after every callback of the host. */
  drain: (process as unknown as { _tickCallback(): void })._tickCallback,
};
