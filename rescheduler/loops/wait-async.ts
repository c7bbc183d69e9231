/**
 * `Atomics.waitAsync` of a thread that takes part. What is notified is a word of ours, on which the thread waits
 * natively: the promise settles in its event loop, as always. Waiters of both kinds are woken in one order, first in,
 * first out.
 */
import { Op } from '../../data/threads/trace.ts';
import type { Marked } from '../../monitor/threads/views.ts';
import { ASYNC, addAsync, wordOf } from '../tokens/async-waiters.ts';
import type { ThreadContext } from './part.ts';

// The originals: what the program calls is wrapped.
const { compareExchange, waitAsync } = Atomics;

export function wrapWaitAsync({ execution, holder, notes, pointHere, self, views }: ThreadContext): void {
  const { asyncWaiters: waiters, control } = execution;
  const { words } = control;

  function waiter(address: number): number {
    const at = addAsync(waiters, words, address, self);
    if (at < 0) notes.tell({ unseen: 'many asynchronous waits' });
    return at;
  }

  function wrapped(
    view: Int32Array,
    index: number,
    expected: number,
    timeout?: number,
  ): ReturnType<typeof Atomics.waitAsync> {
    const shared = views.of(view as Marked & Int32Array);
    if (shared === null || holder.quiet > 0) return waitAsync(view, index, expected, timeout);
    const address = shared.cell + Number(index) * shared.stride;
    const point = pointHere();
    holder.step();
    // Node's own word on the arguments, and on waits that end at once; nobody notifies there.
    const first = waitAsync(view, index, expected, 0);
    holder.log(first.value === 'not-equal' ? Op.Receive : Op.Read, address, point);
    const ms =
      timeout === undefined || Number.isNaN(Number(timeout)) ? Number.POSITIVE_INFINITY : Number(timeout);
    if (first.value === 'not-equal' || ms <= 0) return first;
    const at = waiter(address);
    if (at < 0) return waitAsync(view, index, expected, timeout);
    const own = waitAsync(waiters, wordOf(at), ASYNC.Waiting, ms);
    const value = Promise.resolve(own.value).then((woken): 'ok' | 'timed-out' => {
      const late =
        woken === 'timed-out' &&
        compareExchange(waiters, wordOf(at), ASYNC.Waiting, ASYNC.TimedOut) === ASYNC.Waiting;
      holder.step();
      holder.log(late ? Op.Read : Op.Receive, address, point);
      return late ? 'timed-out' : 'ok';
    });
    return { async: true, value };
  }
  Object.defineProperty(wrapped, 'name', { value: 'waitAsync' });
  Object.defineProperty(Atomics, 'waitAsync', { value: wrapped, writable: true, configurable: true });
}
