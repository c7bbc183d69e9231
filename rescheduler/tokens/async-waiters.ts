/** Who waits in `Atomics.waitAsync`, in memory that all threads share: waiters of both kinds are woken in one order. */
import { H } from './control.ts';

/** Words: how many there are; then of each waiter its address, ticket, thread and state. */
const FIRST = 1;
const ENTRY = 4;
const [ADDRESS, TICKET, THREAD, STATE] = [0, 1, 2, 3];
const [WAITING, NOTIFIED, TIMED_OUT] = [0, 1, 2];
const MOST = 1 << 14;
export const ASYNC_WORDS = FIRST + ENTRY * MOST;

// The originals: what the program calls is wrapped.
const { compareExchange, load, notify } = Atomics;

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

/** A new waiter, as where it lies; -1: there is no room. */
export function addAsync(waiters: Int32Array, words: Int32Array, address: number, self: number): number {
  if (waiters[0] === MOST) return -1;
  const at = FIRST + ENTRY * waiters[0]!;
  waiters[0]! += 1;
  waiters[at + ADDRESS!] = address;
  waiters[at + TICKET!] = ++words[H.Ticket]!;
  waiters[at + THREAD!] = self;
  waiters[at + STATE!] = WAITING!;
  return at;
}

/** The word that says how the wait of a waiter has ended. */
export const wordOf = (at: number): number => at + STATE!;
export const ASYNC = { Waiting: WAITING!, Notified: NOTIFIED!, TimedOut: TIMED_OUT! } as const;
