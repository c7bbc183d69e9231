/**
 * `Atomics.waitAsync` of a thread that takes part. What is notified is a word of ours, on which the thread waits
 * natively: the promise settles in its event loop, as always. Waiters of both kinds are woken in one order, first in,
 * first out.
 */
import { Op } from '../../data/threads/trace.ts';
import type { Marked } from '../../monitor/threads/views.ts';
import { H } from '../tokens/control.ts';
import type { Part } from './part.ts';

/** Words: how many there are; then of each waiter its address, ticket, thread and state. */
const FIRST = 1;
const ENTRY = 4;
const [ADDRESS, TICKET, THREAD, STATE] = [0, 1, 2, 3];
const [WAITING, NOTIFIED, TIMED_OUT] = [0, 1, 2];
const MOST = 1 << 14;
export const ASYNC_WORDS = FIRST + ENTRY * MOST;

// The originals: what the program calls is wrapped.
const { compareExchange, load, notify, waitAsync } = Atomics;

/** The waiter at an address that has waited longest, as where it lies; -1: there is none. `fifo`: false: the last one. */
export function longestAsync(waiters: Int32Array, address: number, fifo: boolean): number {
  let found = -1;
  for (let at = FIRST; at < FIRST + ENTRY * waiters[0]! && (found < 0 || !fifo); at += ENTRY)
    if (waiters[at + ADDRESS!] === address && load(waiters, at + STATE!) === WAITING) found = at;
  return found;
}

export const ticketOf = (waiters: Int32Array, at: number): number => waiters[at + TICKET!]!;

/** Wakes a waiter; its thread, or -1 where its time was over just before. */
export function wakeAsync(waiters: Int32Array, at: number): number {
  if (compareExchange(waiters, at + STATE!, WAITING!, NOTIFIED!) !== WAITING) return -1;
  notify(waiters, at + STATE!);
  return waiters[at + THREAD!]!;
}

type Result = ReturnType<typeof Atomics.waitAsync>;

export function wrapWaitAsync({ execution, holder, notes, pointHere, self, views }: Part): void {
  const { asyncWaiters: waiters, control } = execution;
  const { words } = control;

  function waiter(address: number): number {
    if (waiters[0] === MOST) {
      notes.tell({ unseen: 'many asynchronous waits' });
      return -1;
    }
    const at = FIRST + ENTRY * waiters[0]!;
    waiters[0]! += 1;
    waiters[at + ADDRESS!] = address;
    waiters[at + TICKET!] = ++words[H.Ticket]!;
    waiters[at + THREAD!] = self;
    return at;
  }

  function wrapped(view: Int32Array, index: number, expected: number, timeout?: number): Result {
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
    const own = waitAsync(waiters, at + STATE!, WAITING!, ms);
    const value = Promise.resolve(own.value).then((woken): 'ok' | 'timed-out' => {
      const late =
        woken === 'timed-out' && compareExchange(waiters, at + STATE!, WAITING!, TIMED_OUT!) === WAITING;
      holder.step();
      holder.log(late ? Op.Read : Op.Receive, address, point);
      return late ? 'timed-out' : 'ok';
    });
    return { async: true, value };
  }
  Object.defineProperty(wrapped, 'name', { value: 'waitAsync' });
  Object.defineProperty(Atomics, 'waitAsync', { value: wrapped, writable: true, configurable: true });
}
