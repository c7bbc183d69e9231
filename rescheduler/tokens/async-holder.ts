/** A thread with an event loop may also wait in `Atomics.waitAsync`: waiters of both kinds are woken in one order. */
import { longestAsync, ticketOf, wakeAsync } from './async-waiters.ts';
import { type Control, isInForce, RULE, record, T } from './control.ts';
import { Holder } from './holder.ts';

export abstract class AsyncHolder extends Holder {
  /** See async-waiters.ts. */
  readonly asyncWaiters: Int32Array;

  constructor(control: Control, self: number, asyncWaiters: Int32Array) {
    super(control, self);
    this.asyncWaiters = asyncWaiters;
  }

  /** Something has come for the event loop of a thread. */
  abstract rouse(thread: number): void;

  override notify(address: number, count: number): number {
    const { asyncWaiters, words } = this;
    let woken = 0;
    while (woken < count) {
      const first = longestAsync(asyncWaiters, address, isInForce(words, RULE.waiters));
      const blocked = this.longestWaiting(address);
      if (first < 0) return woken + super.notify(address, count - woken);
      const isFirst = blocked < 0 || ticketOf(asyncWaiters, first) < words[record(blocked) + T.Ticket]!;
      if (!isFirst) woken += super.notify(address, 1);
      else {
        const thread = wakeAsync(asyncWaiters, first);
        if (thread < 0) continue;
        this.rouse(thread);
        woken += 1;
      }
    }
    return woken;
  }
}
