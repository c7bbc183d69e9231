/**
 * `Promise.all` goes on in the turn of the last of its promises, but behind all of them. Only a recorded execution is asked; no
 * promise gets a reaction more than it has.
 */
import { promiseHooks } from 'node:v8';
import { replaceMethod } from '../../../monitor/replace.ts';
import type { LoopHolder } from '../../tokens/loop-holder.ts';

type All = (this: unknown, values: Iterable<unknown>) => Promise<unknown>;

/** Returns what ends it. */
export function watchJoins(holder: LoopHolder): () => void {
  /** Promises that are waited for together: where each was settled. */
  const places = new WeakMap<Promise<unknown>, number>();
  const members = new WeakMap<Promise<unknown>, readonly Promise<unknown>[]>();
  const isWaitedFor = new WeakSet<Promise<unknown>>();
  const natives = Object.entries({ all: Promise.all, allSettled: Promise.allSettled });
  for (const [name, all] of natives) {
    const native = all as All;
    replaceMethod(Promise, name, function (this: unknown, values: Iterable<unknown>) {
      if (!Array.isArray(values)) return native.call(this, values);
      const joined = native.call(this, values);
      const promises = values.filter((each) => each instanceof Promise);
      for (const each of promises) isWaitedFor.add(each);
      members.set(joined, promises);
      return joined;
    });
  }
  const stop = promiseHooks.onSettled((promise: Promise<unknown>) => {
    if (holder.quiet > 0) return;
    const joined = members.get(promise)?.flatMap((each) => places.get(each) ?? []);
    if (joined && joined.length > 0) holder.follow(joined);
    if (isWaitedFor.has(promise)) places.set(promise, holder.lead());
  }) as () => void;
  return () => {
    stop();
    for (const [name, native] of natives) replaceMethod(Promise, name, native);
  };
}
