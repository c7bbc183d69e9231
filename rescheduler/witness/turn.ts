/** Calls `fn` when the ticks and microtasks of the present turn are over. */
export function afterTurn(fn: () => void): void {
  process.nextTick(() => queueMicrotask(() => process.nextTick(fn)));
}
