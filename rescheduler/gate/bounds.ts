/** How long a run may last, and how much of what it left behind is carried out (C17). */
import { Deadline } from '../deadline.ts';
import type { GatedRun } from './run.ts';

/** Steps between two looks at the real clock. */
const LOOK = 256;
/** What is left at the end of a run is tidied up for this many steps and real ms. */
const TIDY_STEPS = 2000;
const TIDY_MS = 200;

export class Bounds {
  /** Virtual time after which no timer is worth waiting for at the end. */
  tidyClock = 0;
  private count = 0;
  private deadline = new Deadline(0);
  private tidySteps = 0;
  private tidying = new Deadline(0);

  begin(watchdogMs: number): void {
    this.tidySteps = 0;
    this.deadline = new Deadline(watchdogMs);
  }

  /** The verdict of the run is known. */
  decided({ now, options }: GatedRun<unknown>): void {
    this.tidying = new Deadline(TIDY_MS);
    this.tidyClock = options.handsOver ? now : now + options.limits.maxStallMs;
  }

  /** Real ms until the watchdog. */
  left(): number {
    return this.deadline.left();
  }

  /** Watchdog: looks at the real clock now and then, and whenever the gate has been waiting. */
  isLate(hasWaited: boolean): boolean {
    return (++this.count % LOOK === 0 || hasWaited) && this.left() <= 0;
  }

  /**
   * What is left is carried out in the observed order, within bounds. True when it is time to stop: where the program
   * goes on behind the run, as soon as Node can go on with what is left, for natively none of it comes before hooks and plan.
   */
  isTidy({ inFlight, mayHandOver, model, rules }: GatedRun<unknown>): boolean {
    this.tidySteps += 1;
    if (!rules.tidies || (mayHandOver && inFlight === 0)) return true;
    if (model.idle && inFlight === 0) return true;
    return this.tidySteps > TIDY_STEPS || this.tidying.left() <= 0;
  }
}
