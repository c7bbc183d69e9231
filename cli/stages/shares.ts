/**
 * How the time for a whole run is spread over its tests: each gets its share before any gets a second one, those that
 * promise most come first, and what one leaves goes to those that wait.
 */
import type { RunOptions } from '../options.ts';

/** Less is not worth the start of a process, ms. */
export const LEAST_SHARE_MS = 1000;

/** With so many ms no test is begun. */
export const isTooShort = (ms: number): boolean => ms < LEAST_SHARE_MS;

type BudgetOptions = Pick<RunOptions, 'maxTimeMs' | 'totalTimeMs' | 'jobs'>;

export interface Share {
  readonly ms: number;
  /** The test may get more of its time later. */
  readonly isPart: boolean;
}

export class Shares {
  private readonly limits: BudgetOptions;
  private readonly spent = new Map<string, number>();
  /** Tests of this round that have not got theirs. */
  private waiting = 0;
  /** Twice as much in each round: a test that takes long to begin gets there. */
  private leastMs = LEAST_SHARE_MS / 2;

  constructor(limits: BudgetOptions) {
    this.limits = limits;
  }

  begin(tests: number): void {
    this.waiting = tests;
    this.leastMs *= 2;
  }

  /**
   * @param left of the whole run, ms.
   * @param isWhole what it may take is bounded, and with a part of that nothing is said of it
   */
  take(test: string, left: number, isWhole = false): Share {
    const { jobs, maxTimeMs, totalTimeMs } = this.limits;
    const rest = Math.min(left, maxTimeMs - (this.spent.get(test) ?? 0));
    const share = Math.max(this.leastMs, (left * jobs) / Math.max(1, this.waiting));
    this.waiting -= 1;
    if (totalTimeMs === undefined || isWhole) return { ms: rest, isPart: false };
    return { ms: Math.min(rest, share), isPart: rest > share };
  }

  /** In a share of so many ms no run came to its end: those to come are longer. */
  tooShort(ms: number): void {
    this.leastMs = Math.max(this.leastMs, 2 * ms);
  }

  used(test: string, ms: number): void {
    this.spent.set(test, (this.spent.get(test) ?? 0) + ms);
  }

  /** Whether a test that was not done with its share has time for another one. */
  hasRest(test: string, left: number): boolean {
    return !isTooShort(Math.min(left, this.limits.maxTimeMs - (this.spent.get(test) ?? 0)));
  }
}

/** Sorted by what each promises, those that promise alike as they were. */
export function mostPromisingFirst<T>(tests: readonly T[], promiseOf: (test: T) => number): T[] {
  const promised = new Map(tests.map((test) => [test, promiseOf(test)]));
  return tests.toSorted((a, b) => promised.get(b)! - promised.get(a)!);
}
