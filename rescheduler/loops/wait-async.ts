/**
 * `Atomics.waitAsync` of a thread that takes part. What is notified is a word of ours, on which the thread waits
 * natively: the promise settles in its event loop, as always. Waiters of both kinds are woken in one order, first in,
 * first out.
 */
import { Op } from '../../data/threads/trace.ts';
import { ASYNC, addAsync, wordOf } from '../tokens/async-waiters.ts';
import { wrapCalls } from '../tokens/wait-async-call.ts';
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

  wrapCalls(holder, views, pointHere, ({ address, ms, natively, point }) => {
    const at = waiter(address);
    if (at < 0) return natively();
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
  });
}
