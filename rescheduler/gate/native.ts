/** The host's own clocks and timers, taken before anything is wrapped. */
const { now } = performance;
const { setImmediate, setTimeout, clearTimeout } = globalThis;

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
