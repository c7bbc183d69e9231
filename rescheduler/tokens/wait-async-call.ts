/** `Atomics.waitAsync` as the program calls it: what is alike whoever waits on behalf of the call. */
import { Op } from '../../data/threads/trace.ts';
import type { Marked, Views } from '../../monitor/threads/views.ts';
import type { Holder } from './holder.ts';

// The original: what the program calls is wrapped.
const { waitAsync } = Atomics;

type WaitAsync = typeof Atomics.waitAsync;

/** A call on shared memory that has to wait. */
export interface AsyncCall {
  readonly address: number;
  readonly point: number;
  /** Infinity: without end. */
  readonly ms: number;
  /** As the engine does it. */
  readonly natively: () => ReturnType<WaitAsync>;
}

/** `waits` is called where the wait does not end at once: that, and the step, are of this thread. */
export function wrapCalls(
  holder: Pick<Holder, 'log' | 'quiet' | 'step'>,
  views: Views,
  pointHere: () => number,
  waits: (call: AsyncCall) => ReturnType<WaitAsync>,
): void {
  const wrapped = (view: Int32Array, index: number, expected: number, timeout?: number) => {
    const natively = () => waitAsync(view, index, expected, timeout);
    const shared = views.of(view as Marked & Int32Array);
    if (shared === null || holder.quiet > 0) return natively();
    const address = shared.cell + Number(index) * shared.stride;
    const point = pointHere();
    holder.step();
    // Node's own word on the arguments, and on waits that end at once; nobody notifies there.
    const first = waitAsync(view, index, expected, 0);
    holder.log(first.value === 'not-equal' ? Op.Receive : Op.Read, address, point);
    const given = Number(timeout ?? Number.NaN);
    const ms = Number.isNaN(given) ? Number.POSITIVE_INFINITY : given;
    if (first.value === 'not-equal' || ms <= 0) return first;
    return waits({ address, point, ms, natively });
  };
  Object.defineProperty(wrapped, 'name', { value: 'waitAsync' });
  Object.defineProperty(Atomics, 'waitAsync', { value: wrapped, writable: true, configurable: true });
}
