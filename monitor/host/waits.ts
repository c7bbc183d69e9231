/** Calls in which the thread waits, for a child or for nothing: on the clock of the run passes what they take (C13). */

import { replaceMethod } from '../replace.ts';
import { bindingOf } from './bindings.ts';
import type { HostClock, HostDoubts, HostRequests } from './controller.ts';
import { unitsOf } from './elapsed.ts';
import { CHILD_CLOCK, hasTime, tellsTime } from './told-time.ts';

/** The real clock. */
const { now } = performance;
const realDate = Date.now;

/** What a child is started with. */
interface SpawnOptions {
  readonly args?: readonly string[];
  readonly stdio?: readonly { readonly input?: Uint8Array | null }[];
}

/** Returns what does it in another realm of this thread. */
export function watchWaits(
  controller: HostRequests & HostClock & HostDoubts,
): (realm: typeof globalThis) => void {
  /** How long a call takes, ms. */
  const taking = <T>(call: () => T): { readonly result: T; readonly ms: number } => {
    const start = now.call(performance);
    return { result: call(), ms: now.call(performance) - start };
  };
  const binding = bindingOf('spawn_sync');
  const spawn = binding.spawn as (...args: unknown[]) => unknown;
  replaceMethod(binding, 'spawn', (...args: unknown[]) => {
    if (!controller.active()) return spawn(...args);
    const { result, ms } = taking(() => spawn(...args));
    controller.waited(unitsOf(ms), true);
    const { output } = result as { output?: readonly (Uint8Array | null)[] | null };
    const { args: given = [], stdio = [] } = args[0] as SpawnOptions;
    const told = [...(output ?? []), ...stdio.map(({ input }) => input)];
    const now = realDate();
    if (hasTime(given, now) || told.some((bytes) => bytes && tellsTime(bytes, now)))
      controller.otherClock(CHILD_CLOCK);
    return result;
  });

  const watchWait = (realm: typeof globalThis): void => {
    // What comes of it is the same in every run, but where another thread ends the wait.
    const { wait } = realm.Atomics;
    replaceMethod(realm.Atomics, 'wait', (...args: Parameters<typeof wait>) => {
      if (!controller.active()) return wait(...args);
      const { result, ms } = taking(() => wait(...args));
      if (result !== 'not-equal') controller.waited(Math.ceil(result === 'ok' ? ms : Number(args[3])));
      return result;
    });
  };
  watchWait(globalThis);
  return watchWait;
}
