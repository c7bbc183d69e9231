/**
 * `Atomics.waitAsync` of a thread whose event loop is under the gate. A notification is an arrival in that loop, its
 * time-out a timer; waiters of both kinds are woken in one order, first in, first out.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { Op } from '../../data/threads/trace.ts';
import type { HostRequest } from '../../monitor/host/request.ts';
import type { Views } from '../../monitor/threads/views.ts';
import { ASYNC, addAsync, wordOf } from './async-waiters.ts';
import type { LoopHolder } from './loop-holder.ts';
import { wrapCalls } from './wait-async-call.ts';

// The originals: what the program calls is wrapped.
const { compareExchange, load } = Atomics;

export class AsyncWaits {
  private readonly waiters: Int32Array;
  /** Of this thread, by where they lie: the request that their notification is. */
  private readonly pending = new Map<number, HostRequest>();
  private readonly sources = new WeakMap<HostRequest, number>();
  private count = 0;

  constructor(words: Int32Array, self: number, holder: LoopHolder, views: Views, pointHere: () => number) {
    this.waiters = holder.asyncWaiters;
    const { waiters } = this;
    wrapCalls(holder, views, pointHere, ({ address, ms, point }) => {
      const at = addAsync(waiters, words, address, self);
      if (at < 0) throw new RangeError('unweave: too many asynchronous waits');
      const { promise, resolve } = Promise.withResolvers<'ok' | 'timed-out'>();
      const end = (how: 'ok' | 'timed-out'): void => {
        clearTimeout(timer);
        holder.step();
        holder.log(how === 'ok' ? Op.Receive : Op.Read, address, point);
        resolve(how);
      };
      const timer = Number.isFinite(ms)
        ? setTimeout(() => {
            if (compareExchange(waiters, wordOf(at), ASYNC.Waiting, ASYNC.TimedOut) !== ASYNC.Waiting) return;
            this.pending.delete(at);
            end('timed-out');
          }, ms)
        : undefined;
      const notification = this.notification(() => end('ok'));
      this.pending.set(at, notification);
      this.sources.set(notification, holder.awaits('asked'));
      return { async: true, value: promise };
    });
  }

  reset(): void {
    this.pending.clear();
    this.count = 0;
  }

  /** Notifications that have come; each is told once. */
  *arrived(): Generator<HostRequest> {
    for (const [at, request] of this.pending) {
      if (load(this.waiters, wordOf(at)) !== ASYNC.Notified) continue;
      this.pending.delete(at);
      yield request;
    }
  }

  /** The number under which a notification was asked for; null: it is none. */
  sourceOf(request: HostRequest): number | null {
    return this.sources.get(request) ?? null;
  }

  get any(): boolean {
    return this.pending.size > 0;
  }

  private notification(end: () => void): HostRequest {
    const context = AsyncLocalStorage.snapshot();
    return {
      // It is there as soon as somebody notifies.
      ...{ kind: 'external', how: { by: 'message', prompt: true } },
      ...{ api: 'Atomics.waitAsync', what: '', name: `root|Atomics.waitAsync#${++this.count}` },
      ...{ frame: null, site: -1, ref: true, id: -1, effects: 0 },
      accesses: () => [],
      effect: (done) => done(true),
      deliver: () => context(end),
    };
  }
}
