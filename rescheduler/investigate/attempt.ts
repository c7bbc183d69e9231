/** Orders to be tried, one after the other. */
import type { CutPoint, Origin, Schedule } from '../../data/prediction.ts';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import type { Trace } from '../../data/trace.ts';
import type { Novelty } from './novelty.ts';

/** One order to be tried. */
export interface Attempt {
  readonly origin: Origin;
  readonly schedule: Schedule;
  readonly spec: StrategySpec;
  /** The cut point that it was predicted for. */
  readonly cutPoint: CutPoint | null;
  /** Its run is recorded. */
  readonly records?: true;
}

/** What was recorded of an order: of an event loop, or of threads. */
export interface Recorded {
  readonly trace?: Trace;
  readonly threads?: ThreadTrace;
}

/** What came of an attempt, with its recording where it was to be recorded. */
export interface Tried extends RunResult, Recorded {}

/** Each is chosen by what came of those before: whoever runs them hands the result of each back. */
export type Attempts = Generator<Attempt, void, Tried>;

/** What is known in the middle of an investigation: searches go by it, and add the number of orders. */
export interface Known {
  /** Failures that were confirmed, by this command or one before. */
  readonly failures: number;
  /** One of them is more than a test that depends on timing. */
  readonly hasRace: boolean;
  /** How often the failure that was refuted most often was: by then it is not the order that makes it. */
  readonly refutations: number;
  /** Schedules that may still be run. */
  readonly left: number;
  /** Time that is left for it, ms. */
  readonly leftMs: number;
  readonly novelty: Novelty;
  /** Time spent so far on confirming and explaining failures: no search is shorter for having found one, ms. */
  readonly asideMs: number;
  /** How many feasible orders there are, where something is known of that; `all`: each was executed. */
  orders: { readonly count: number; readonly all: boolean } | null;
  /** All orders with at most so many preemptions were executed, and how many these are; null: that is not known. */
  bounded: { readonly preemptions: number; readonly orders: number } | null;
}

/** The orders of one program: which of them to try, and in which form one that fails is confirmed. */
export interface Orders {
  /** The predicted ones, best first. */
  readonly predicted: readonly Schedule[];
  attempts(known: Known): Attempts;
  /**
   * The smallest form of an order that failed. `followed`: it was a predicted one and was taken as predicted; `fails`
   * runs an order and says whether it fails alike.
   */
  smallest(
    attempt: Attempt,
    result: RunResult,
    followed: boolean,
    fails: (steps: readonly string[]) => Promise<boolean>,
  ): Promise<readonly string[]>;
}

/** A schedule that nothing predicted: its steps are chosen on the way, or given. */
export function unplanned(id: string, steps: readonly string[] = []): Schedule {
  return { id, cutPoint: null, steps, moves: 0, switches: 0, stallMs: 0 };
}
