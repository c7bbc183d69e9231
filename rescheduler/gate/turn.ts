/** One macrotask: a callback of the program with all its ticks and microtasks. */
import { executionAsyncId } from 'node:async_hooks';
import { native } from './native.ts';

/**
 * Runs `fn`, then drains (C6). Whatever throws is reported and draining goes on, as natively; `unwind` restores the
 * stack of async ids to what it was, so that the callback of Node's in which all this runs can still end.
 */
export function runTurn(
  fn: () => void,
  drains: boolean,
  unwind: (asyncId: number) => void,
  threw: (error: unknown) => void,
): void {
  const id = executionAsyncId();
  let next = fn;
  for (;;) {
    try {
      next();
      if (next === native.drain || !drains) return;
    } catch (error) {
      threw(error);
      unwind(id);
      if (!drains) return;
    }
    next = native.drain;
  }
}
