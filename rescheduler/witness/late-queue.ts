/**
 * What is kept waiting in a plain run: goes one by one, each not before its time and none before what is planned to
 * precede it, so that a machine under load delays the order and does not change it.
 */
import { native } from '../gate/native.ts';
import type { CheckPhaseCalls } from './check.ts';
import type { PlanClock } from './clock.ts';
import type { PlannedAlarm, PlannedRound, PlannedStep, PlannedStretch } from './plan.ts';
import type { PollPhaseCalls } from './poll.ts';
import { afterTurn } from './turn.ts';

interface WaitingStep {
  readonly step: PlannedStep;
  /** It comes in a poll phase. */
  readonly inPoll: boolean;
  /** Calls `over` when the kernel has done it, if it has to. */
  readonly go: (over: () => void) => void;
  /** Only has the kernel do it. */
  readonly prepare: ((done: () => void) => void) | null;
}

/** Node's timers know whole ms: shorter waits take turns of the loop. */
const SHORT_MS = 1.5;
/** What the kernel does not do within this time, ms, may depend on what comes later. */
const PATIENCE_MS = 100;
/** The first turn stands still so long for what is to come in the first round of the loop and is not there, ms. */
const FIRST_MS = 5;
/** What was to be issued before a step is waited for so long beyond its time, ms; then the run has left the plan. */
const AHEAD_MS = 1000;

/** What a step has to wait for besides its time: for what the plan issues before it. */
export interface Pacer {
  isAhead(index: number): boolean;
  giveUp(index: number): void;
}

/** What a queue can do without. */
export interface Surroundings {
  /** Where deliveries begin the check phase. */
  readonly check: CheckPhaseCalls | null;
  /** Who knows when timers were started; see {@link TimerStarts.until}. */
  readonly alarms: { until(alarm: PlannedAlarm): number | undefined };
  /** Calls where the program is not: what the queue starts is none of its. */
  outside<T>(fn: () => T): T;
}

const NOWHERE: Surroundings = { check: null, alarms: { until: () => undefined }, outside: (fn) => fn() };

export class LateQueue {
  private readonly around: Surroundings;
  private readonly clock: PlanClock;
  private readonly pacer: Pacer;
  private readonly poll: PollPhaseCalls;
  private readonly waiting: WaitingStep[] = [];
  /** Those that have not begun. */
  private readonly stretches: PlannedStretch[];
  /** Steps of stretches, until their round is over. */
  private readonly bound = new Set<number>();
  /** See {@link PlannedRound.early}: those that are still to be asked for. */
  private early: number[] = [];
  private going = false;
  /** A step that is to come now and has not come yet. */
  private awaited: { readonly index: number; readonly then: () => void } | null = null;
  /** It looks again in the next check phase; or later, unless something comes before. */
  private soon = false;
  private later: NodeJS.Timeout | null = null;
  /** In a stretch the kernel has no time of its own: what it does is done within the call. */
  inStretch = false;

  constructor(
    clock: PlanClock,
    pacer: Pacer,
    poll: PollPhaseCalls,
    stretches: readonly PlannedStretch[],
    around: Surroundings = NOWHERE,
  ) {
    this.around = around;
    this.clock = clock;
    this.pacer = pacer;
    this.poll = poll;
    this.stretches = [...stretches];
    for (const { rounds } of stretches)
      for (const { answers, heads } of rounds)
        for (const index of [...answers.flat(), ...heads]) this.bound.add(index);
  }

  /** To be called at the end of the first turn. */
  begin(): void {
    const [stretch] = this.stretches;
    if (stretch?.index === -1) {
      this.stretches.shift();
      const { answers = [], heads = [] } = stretch.rounds[0] ?? {};
      const until = native.now() + FIRST_MS;
      if (
        !answers
          .flat()
          .concat(heads)
          .every((index) => this.isThere(index))
      )
        while (native.now() < until);
      this.run(stretch);
    } else if (this.stretches.length > 0) this.schedule(0);
  }

  /** True when nothing stands before this step and its time has come. */
  isDue({ index, at }: PlannedStep): boolean {
    if (this.isBound({ index, at }) || this.awaited?.index === index) return false;
    const isFirst = !this.waiting.some(({ step }) => step.index < index);
    return isFirst && this.clock.until(at) <= 0 && !this.pacer.isAhead(index);
  }

  /** True for a step of a stretch: it has only the moment of its callback. */
  isBound({ index }: PlannedStep): boolean {
    return this.bound.has(index);
  }

  wait(
    step: PlannedStep,
    inPoll: boolean,
    go: WaitingStep['go'],
    prepare: WaitingStep['prepare'] = null,
  ): void {
    if (this.awaited?.index === step.index) {
      const { then } = this.awaited;
      this.awaited = null;
      // Not within the call: who issues it does not know it yet.
      this.around.outside(() => process.nextTick(() => go(then)));
      return;
    }
    const at = this.waiting.findIndex((other) => other.step.index > step.index);
    this.waiting.splice(at < 0 ? this.waiting.length : at, 0, { step, inPoll, go, prepare });
    // It is there when the next round polls. Not within the call: who issues it does not know it yet.
    if (prepare && this.inStretch && this.isBound(step))
      this.around.outside(() => process.nextTick(() => prepare(() => {})));
    if (step.index === this.early[0]) this.around.outside(() => afterTurn(() => this.doEarly()));
    this.schedule(0);
  }

  /**
   * Looks again in a check phase: Node's timers phase goes by the time at which it began, so that timers which a pause
   * within it makes due would come only behind the answers of the next poll phase. What was to be looked at later is
   * looked at anew by then.
   */
  private schedule(ms: number): void {
    if (this.soon || this.going) return;
    if (this.later) native.clearTimeout(this.later);
    this.later = null;
    const next = (): void => {
      this.soon = true;
      native.setImmediate(() => {
        this.soon = false;
        this.look();
      });
    };
    if (ms < SHORT_MS) next();
    else this.later = this.after(Math.floor(ms), next);
  }

  private after(ms: number, fn: () => void): NodeJS.Timeout {
    return this.around.outside(() => native.setTimeout(fn, ms));
  }

  private look(): void {
    if (this.going) return;
    const [first] = this.waiting;
    const [stretch] = this.stretches;
    if (stretch && (!first || first.step.index >= stretch.index)) this.lookAt(stretch, first);
    else if (first && this.isTime(first.step, true)) this.go(this.waiting.shift() as WaitingStep);
  }

  private lookAt(stretch: PlannedStretch, first: WaitingStep | undefined): void {
    const { index, stands } = stretch;
    // Timers wait for nobody; what begins with an answer does not begin without it.
    if (!stands && !first) return;
    const isThere = stands || first?.step.index === index;
    if (!this.isTime(stretch, isThere, stands, this.untilAlarm(stretch.alarms?.begin))) return;
    this.stretches.shift();
    this.prepared(stretch, () => this.run(stretch));
  }

  /** The kernel needs a round of the loop for each read; answers of a stretch are there when it begins. */
  private prepared({ stands, rounds }: PlannedStretch, then: () => void): void {
    const together = rounds.flatMap(({ answers }) => answers);
    const steps = together.flat();
    const jobs = this.waiting.flatMap(({ step, prepare }) =>
      prepare && steps.includes(step.index) ? [prepare] : [],
    );
    if ((!stands && together.length < 2) || jobs.length === 0) {
      then();
      return;
    }
    this.going = true;
    let left = jobs.length;
    let isOver = false;
    const patience = this.after(PATIENCE_MS, () => {
      isOver = true;
      then();
    });
    const done = (): void => {
      if (--left > 0 || isOver) return;
      native.clearTimeout(patience);
      native.setImmediate(then);
    };
    for (const job of jobs) job(done);
  }

  /** Whether a step may come now; looks again when it may. Under load a timer may fire long after its time. */
  private isTime({ index, at }: PlannedStep, isThere: boolean, isSure = false, alarm?: number): boolean {
    const left = alarm ?? this.clock.until(at);
    const isAhead = !isSure && (!isThere || this.pacer.isAhead(index));
    if (left > 0 || (isAhead && left > -AHEAD_MS)) {
      this.schedule(left > 0 ? left : SHORT_MS);
      return false;
    }
    if (isAhead) this.pacer.giveUp(index);
    return true;
  }

  private go({ inPoll, go }: WaitingStep): void {
    this.going = true;
    const over = () => {
      if (!this.going) return;
      this.going = false;
      native.clearTimeout(patience);
      this.schedule(0);
    };
    const patience = this.after(PATIENCE_MS, over);
    if (inPoll) this.poll.next(() => go(over));
    else go(over);
  }

  private untilAlarm(alarm: PlannedAlarm | undefined): number | undefined {
    return alarm && this.around.alarms.until(alarm);
  }

  private run({ rounds, alarms }: PlannedStretch): void {
    this.going = true;
    this.inStretch = true;
    this.round(rounds, 0, alarms?.end);
  }

  /** What arrives in the next round is there when its poll phase comes, and what is to be due when its timers come. */
  private round(rounds: readonly PlannedRound[], at: number, alarm?: PlannedAlarm): void {
    const { until, early, answers, heads } = rounds[at] as PlannedRound;
    this.early = [...early];
    this.doEarly();
    const arrivals = answers.map((steps) => (over: () => void) => this.take(steps, over));
    inTurn(this.poll, arrivals, () => {
      native.clearTimeout(patience);
      this.begins(heads);
      // In a callback of its own: an immediate that is made now comes behind those of the answers.
      if (at + 1 < rounds.length) native.setImmediate(() => this.round(rounds, at + 1));
      else if (heads.length > 0) native.setImmediate(() => this.end());
      else this.end();
    });
    if (until !== null) while ((this.untilAlarm(alarm) ?? this.clock.until(until)) > 0);
    const patience = this.after(PATIENCE_MS, () => this.end());
  }

  private doEarly(): void {
    while (this.early.length > 0 && this.goIfThere(this.early[0] as number))
      this.bound.delete(this.early.shift() as number);
  }

  private take(steps: readonly number[], over: () => void): void {
    const [index, ...rest] = steps;
    if (index === undefined) {
      over();
      return;
    }
    const next = () => this.take(rest, over);
    if (!this.bound.delete(index)) {
      next();
      return;
    }
    if (this.goIfThere(index, next)) return;
    this.awaited = { index, then: next };
    const { awaited } = this;
    native.setImmediate(() => this.giveUp(awaited));
  }

  /** The check phase of this round begins with these answers. */
  private begins([index, ...rest]: readonly number[]): void {
    if (index === undefined) return;
    const next = () => this.begins(rest);
    const { check } = this.around;
    const begin = (fn: () => void): void => (check ? check.next(fn) : fn());
    this.bound.delete(index);
    if (this.isThere(index)) begin(() => this.goIfThere(index, next));
    else {
      // Node tells it before the first immediate.
      this.awaited = { index, then: next };
      const { awaited } = this;
      begin(() => this.giveUp(awaited));
    }
  }

  private giveUp(awaited: LateQueue['awaited']): void {
    if (this.awaited !== awaited) return;
    this.awaited = null;
    awaited?.then();
  }

  private isThere(index: number): boolean {
    return this.waiting.some(({ step }) => step.index === index);
  }

  /** Has a step come now, before its time, if it waits. */
  goIfThere(index: number, over: () => void = () => {}): boolean {
    const at = this.waiting.findIndex(({ step }) => step.index === index);
    if (at >= 0) this.waiting.splice(at, 1)[0]?.go(over);
    return at >= 0;
  }

  private end(): void {
    if (!this.inStretch) return;
    this.going = false;
    this.inStretch = false;
    this.schedule(0);
  }
}

/**
 * Runs callbacks in the poll phase that comes next, each in a turn of its own. What the kernel has not told yet comes
 * in the same phase, and those behind it wait for that.
 */
function inTurn(
  poll: PollPhaseCalls,
  arrivals: readonly ((over: () => void) => void)[],
  then: () => void,
): void {
  const left = [...arrivals];
  let called = 0;
  let waits = false;
  const next = (): void => {
    called -= 1;
    const arrival = left.shift();
    if (!arrival) {
      then();
      return;
    }
    waits = true;
    let isLate = false;
    arrival(() => {
      waits = false;
      if (!isLate) return;
      native.drain();
      while (called > 0 && !waits) {
        next();
        native.drain();
      }
    });
    isLate = true;
  };
  for (let i = 0; i <= arrivals.length; i++)
    poll.next(() => {
      called += 1;
      if (!waits) next();
    });
}
