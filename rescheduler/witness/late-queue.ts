/**
 * What is kept waiting in a plain run: goes one by one, each not before its time and none before what is planned to
 * precede it, so that a machine under load delays the order and does not change it.
 */
import { native } from '../gate/native.ts';
import type { PlanClock } from './clock.ts';
import type { PlannedStep } from './plan.ts';

interface Waiting {
  readonly step: PlannedStep;
  /** Calls `over` when the kernel has done it, if it has to. */
  readonly go: (over: () => void) => void;
}

/** Node's timers know whole ms: shorter waits take turns of the loop. */
const SHORT_MS = 1.5;
/** What the kernel does not do within this time, ms, may depend on what comes later. */
const PATIENCE_MS = 100;

export class LateQueue {
  private readonly clock: PlanClock;
  private readonly waiting: Waiting[] = [];
  private going = false;
  private scheduled = false;

  constructor(clock: PlanClock) {
    this.clock = clock;
  }

  /** True when nothing stands before this step and its time has come. */
  isDue({ index, at }: PlannedStep): boolean {
    return this.clock.until(at) <= 0 && !this.waiting.some(({ step }) => step.index < index);
  }

  wait(step: PlannedStep, go: Waiting['go']): void {
    const at = this.waiting.findIndex((other) => other.step.index > step.index);
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, { step, go });
    this.schedule(0);
  }

  private schedule(ms: number): void {
    if (this.scheduled || this.going) return;
    this.scheduled = true;
    const next = () => {
      this.scheduled = false;
      this.look();
    };
    if (ms < SHORT_MS) native.setImmediate(next);
    else native.setTimeout(next, Math.floor(ms));
  }

  private look(): void {
    const [first] = this.waiting;
    if (!first || this.going) return;
    const left = this.clock.until(first.step.at);
    if (left > 0) {
      this.schedule(left);
      return;
    }
    this.waiting.shift();
    this.going = true;
    const over = () => {
      if (!this.going) return;
      this.going = false;
      native.clearTimeout(patience);
      this.schedule(0);
    };
    const patience = native.setTimeout(over, PATIENCE_MS);
    first.go(over);
  }
}
