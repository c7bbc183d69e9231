/**
 * `for await` and `yield*` in async generators suspend inside the engine, where no hook can stand. So the
 * iterator is wrapped: each step hands on the very result of the inner one and suspends the frame after it.
 */
import { suspend } from './activations.ts';
import type { ActivationFrame } from './frames.ts';

type IterateStep = (this: unknown, ...args: unknown[]) => unknown;

/** The iterable that the loop shall use instead of `iterable`; anything unusual is left to the engine. */
export function iter(site: number, frame: ActivationFrame | null, iterable: any): unknown {
  if (iterable === null || iterable === undefined) return iterable;
  const asynchronous = iterable[Symbol.asyncIterator];
  if (asynchronous !== undefined && asynchronous !== null) {
    if (typeof asynchronous !== 'function') return iterable;
    return { [Symbol.asyncIterator]: () => wrap(site, frame, asynchronous.call(iterable), false) };
  }
  const synchronous = iterable[Symbol.iterator];
  if (typeof synchronous !== 'function') return iterable;
  // Keeping it synchronous keeps the ticks: the engine awaits the values of sync iterables itself.
  return { [Symbol.iterator]: () => wrap(site, frame, synchronous.call(iterable), true) };
}

function wrap(site: number, frame: ActivationFrame | null, inner: any, synchronous: boolean): unknown {
  if (inner === null || (typeof inner !== 'object' && typeof inner !== 'function')) return inner;
  // One step may ask for two methods (`throw` falls back to `return`): it suspends once.
  const giveWay = <T>(value: T): T =>
    frame === null || !frame.waiting ? suspend(site, frame, value) : value;
  const step =
    (method: IterateStep): IterateStep =>
    (...args) =>
      giveWay(Reflect.apply(method, inner, args));
  // `return` and `throw` must stay absent where the inner iterator has none; over a sync iterator the engine
  // awaits even then.
  const optional = (name: 'return' | 'throw') => ({
    get: () => {
      const method = inner[name];
      if (typeof method === 'function') return step(method);
      return synchronous ? giveWay(method) : method;
    },
  });
  // The protocol reads `next` once, at the start.
  const next: IterateStep = inner.next;
  return Object.defineProperties(
    { next: typeof next === 'function' ? step(next) : next },
    { return: optional('return'), throw: optional('throw') },
  );
}
