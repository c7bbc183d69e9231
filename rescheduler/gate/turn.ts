/** One macrotask: a callback of the program with all its ticks and microtasks. */
import { executionAsyncId } from 'node:async_hooks';
import type { Context } from '../../monitor/host/context.ts';
import { native } from './native.ts';

/**
 * Runs `fn`, then drains (C6). Whatever throws is reported and draining goes on, as natively; `unwind` restores the
 * stack of async ids to what it was, so that the callback of Node's in which all this runs can still end. What Node calls
 * in no context of its own (listeners for rejections that are handled after all) is called `within` that of the run.
 */
export function runTurn(
  fn: () => void,
  drains: boolean,
  unwind: (asyncId: number) => void,
  threw: (error: unknown) => void,
  within: Context,
): void {
  const drain = (): void => within(native.drain);
  const id = executionAsyncId();
  let next = fn;
  for (;;) {
    try {
      next();
      if (next === drain || !drains) return;
    } catch (error) {
      threw(error);
      unwind(id);
      if (!drains) return;
    }
    next = drain;
  }
}
