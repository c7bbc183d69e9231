/** The activities of an event loop: what goes on in it at the same time, as threads do in a program of threads. */
import { requestOf } from '../../data/schedule-step.ts';
import type { ReadyStep } from './strategy.ts';

/** How often what an activity starts is the same activity. */
const INHERITS = 0.6;

export class ActivityNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly next: () => number;
  private count = 0;

  /** `next`: uniform in [0, 1). */
  constructor(next: () => number) {
    this.next = next;
  }

  /** The activity that a step belongs to: a small number, the same for all of its steps. */
  of(step: ReadyStep): number {
    return this.numberOf(activationOf(step));
  }

  private numberOf(path: string): number {
    const known = this.numbers.get(path);
    if (known !== undefined) return known;
    const caller = callerOf(path);
    const number = caller !== '' && this.next() < INHERITS ? this.numberOf(caller) : this.count++;
    this.numbers.set(path, number);
    return number;
  }
}

/** The activation that made a request, by path; what the body of a test asks for is an activity of its own. */
function activationOf({ name }: ReadyStep): string {
  const request = requestOf(name);
  const caller = callerOf(request);
  return callerOf(caller) === '' ? request : caller;
}

/** A path without its last part; empty for a root. */
function callerOf(path: string): string {
  return path.slice(0, Math.max(0, path.search(/[.|>!][^.|>!]*$/)));
}
