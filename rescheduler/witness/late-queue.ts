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

/** What was to be issued before a step is waited for so long beyond its time, ms; then the run has left the plan. */
const AHEAD_MS = 300;

/** What a step has to wait for besides its time: for what the plan issues before it. */
export interface Pacer {
  isAhead(index: number): boolean;
  giveUp(index: number): void;
}

export class LateQueue {
  private readonly clock: PlanClock;
  private readonly pacer: Pacer;
  private readonly waiting: Waiting[] = [];
  private going = false;
  private scheduled = false;

  constructor(clock: PlanClock, pacer: Pacer) {
    this.clock = clock;
    this.pacer = pacer;
  }

  /** True when nothing stands before this step and its time has come. */
  isDue({ index, at }: PlannedStep): boolean {
    const isFirst = !this.waiting.some(({ step }) => step.index < index);
    return isFirst && this.clock.until(at) <= 0 && !this.pacer.isAhead(index);
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
    // Under load a timer may fire long after its time.
    const { index } = first.step;
    if (this.pacer.isAhead(index)) {
      if (left > -AHEAD_MS) {
        this.schedule(SHORT_MS);
        return;
      }
      this.pacer.giveUp(index);
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
