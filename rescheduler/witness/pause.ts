/** A pause of the process: what a busy machine does to any program at any moment between two turns. */
import { native } from '../gate/native.ts';
import type { PlanClock } from './clock.ts';
import type { PlannedPause } from './plan.ts';

/** Lets nothing happen between two moments of the plan. */
export function pauseProcess({ from, until }: PlannedPause, clock: PlanClock): void {
  const begin = (): void => {
    const left = clock.until(from);
    if (left >= 1) native.setTimeout(begin, Math.floor(left));
    else while (clock.until(until) > 0);
  };
  native.setImmediate(begin);
}
