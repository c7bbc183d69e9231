/**
 * Timers of a Node process: which may fire next (C3).
 *
 * Node keeps one list per delay, in order of start. When the loop passes its timers phase it runs all that is
 * due at that time, list after list by the expiry of their heads, each list as far as it is due, and nothing
 * comes between. So an order is possible if and only if there are times for the moments of the run such that
 * - a timer that fired in a phase was due at it and had not been due at the phase before;
 * - what had started before a phase and did not fire in it was not due at it;
 * - inside one phase the lists follow each other by the expiry of their heads.
 * A pause of the CPU or a late answer of the host may lie between any two moments: that is what moves times.
 */
import type { Constraint, Raised, Timeline } from './timeline.ts';

/** So many timers are looked at, those due first; more would only matter to a very long pause. */
const MOST_HEADS = 16;

/**
 * Whether the loop may wait for a timer: `asleep` until it is due; `awake`: no, it must be due by the end of the
 * present turn, the latest moment; `same phase`: only the timers phase that is on may go on.
 */
export type Sleep = 'asleep' | 'awake' | 'same phase';

interface Timer {
  readonly id: number;
  readonly delay: number;
  /** The moment of its start. */
  readonly start: number;
  /** The delivery of a host request in whose turn it started; null for other turns. */
  readonly cause: number | null;
  ref: boolean;
}

/** A timer that may fire next, and what that presumes. */
export interface Candidate {
  readonly id: number;
  /** When it would fire. */
  readonly at: number;
  /** How much later than at the earliest something must have happened, ms. */
  readonly pause: number;
}

interface Plan {
  readonly raised: Raised;
  /** What holds from now on if it fires. */
  readonly constraints: readonly Constraint[];
  readonly samePhase: boolean;
}

const NO_PLAN: Plan = { raised: new Map(), constraints: [], samePhase: false };

export class Timers {
  private readonly timeline: Timeline;
  private readonly ordered: boolean;
  private readonly byId = new Map<number, Timer>();
  /** Pending timers by delay, each list in order of start. */
  private readonly lists = new Map<number, Timer[]>();
  /** When the loop passed its timers phase last, and the time before that; -1 for never. */
  private passed = -1;
  private passedBefore = -1;
  /** The phase may still go on: whether timers that are due fire in it is not decided yet. */
  private open = false;
  /** Delay of the list that ran last in the open phase. */
  private running = -1;

  /** `ordered` false: any pending timer may fire at any time. */
  constructor(timeline: Timeline, ordered: boolean) {
    this.timeline = timeline;
    this.ordered = ordered;
  }

  get size(): number {
    return this.byId.size;
  }

  /** A timer starts at the latest moment. */
  start(id: number, delay: number, ref: boolean, cause: number | null): void {
    const timer: Timer = { id, delay, start: this.timeline.last, cause, ref };
    this.byId.set(id, timer);
    const list = this.lists.get(delay);
    if (list) list.push(timer);
    else this.lists.set(delay, [timer]);
  }

  cancel(id: number): void {
    const timer = this.byId.get(id);
    if (!timer) return;
    this.byId.delete(id);
    const list = this.lists.get(timer.delay) as Timer[];
    if (list.length === 1) this.lists.delete(timer.delay);
    else list.splice(list.indexOf(timer), 1);
  }

  setRef(id: number, ref: boolean): void {
    const timer = this.byId.get(id);
    if (timer) timer.ref = ref;
  }

  /** True where a pending timer keeps the process alive. */
  get anyRef(): boolean {
    for (const timer of this.byId.values()) if (timer.ref) return true;
    return false;
  }

  expiryOf(id: number): number | undefined {
    const timer = this.byId.get(id);
    return timer && this.expiry(timer);
  }

  /** The timers that may fire next. */
  candidates(sleep: Sleep): Candidate[] {
    if (this.byId.size === 0) return [];
    if (!this.ordered) return [...this.byId.values()].map((timer) => this.candidate(timer, NO_PLAN));
    const found: Candidate[] = [];
    for (const head of this.heads().slice(0, MOST_HEADS)) {
      const plan = this.plan(head, sleep);
      if (plan) found.push(this.candidate(head, plan));
    }
    return found;
  }

  private candidate(timer: Timer, { raised }: Plan): Candidate {
    const { timeline } = this;
    const start = raised.get(timer.start) ?? timeline.timeOf(timer.start);
    const now = raised.get(timeline.last) ?? timeline.now;
    let pause = 0;
    for (const [moment, at] of raised) pause = Math.max(pause, at - timeline.timeOf(moment));
    return { id: timer.id, at: Math.max(now, start + timer.delay), pause };
  }

  /** Fires a timer that {@link candidates} offered. The moment at which it fires is the latest one then. */
  fire(id: number, within: number, sleep: Sleep): void {
    const { timeline } = this;
    const timer = this.byId.get(id);
    const plan = timer && (this.ordered ? this.plan(timer, sleep) : NO_PLAN);
    if (!timer || !plan) throw new Error(`timer ${id} cannot fire`);
    timeline.apply(plan.raised);
    for (const constraint of plan.constraints) timeline.keep(constraint);
    this.cancel(id);
    if (plan.samePhase) timeline.add(0, timeline.last, within);
    else {
      const moment = timeline.add(this.expiry(timer));
      if (this.ordered) timeline.keep({ from: timer.start, to: moment, weight: timer.delay });
      this.passedBefore = this.passed;
      this.passed = moment;
      this.open = true;
    }
    this.running = timer.delay;
  }

  /**
   * What has to move if the loop leaves its timers phase now (`again`: and passes another one in which
   * nothing fires): no timer may be due. Null where one is due and must fire first.
   */
  passing(again: boolean): Raised | null {
    if (!this.ordered || this.byId.size === 0 || (!this.open && !again)) return NO_PLAN.raised;
    return this.attempt(this.notDueAt(again ? this.timeline.last : this.passed, this.heads()));
  }

  /** The loop leaves its timers phase; {@link passing} said that it may. */
  pass(again: boolean): void {
    const raised = this.passing(again);
    if (!raised) throw new Error('a timer is due');
    this.timeline.apply(raised);
    if (again) this.passed = this.timeline.last;
    this.open = false;
  }

  /** What it takes that `timer` fires next; null where it cannot. */
  private plan(timer: Timer, sleep: Sleep): Plan | null {
    if (this.lists.get(timer.delay)?.[0] !== timer) return null;
    if (sleep === 'same phase') return this.inThisPhase(timer);
    const awake = sleep === 'awake';
    const due = this.expiry(timer) <= this.timeline.timeOf(Math.max(0, this.passed));
    return due
      ? (this.inThisPhase(timer) ?? this.inNextPhase(timer, awake))
      : (this.inNextPhase(timer, awake) ?? this.inThisPhase(timer));
  }

  private inThisPhase(timer: Timer): Plan | null {
    const { passed, passedBefore } = this;
    if (!this.open || timer.start >= passed) return null;
    const constraints: Constraint[] = [
      ...this.notDueAt(passedBefore, [timer]),
      { from: timer.start, to: passed, weight: timer.delay },
    ];
    const heads = this.heads();
    if (timer.delay !== this.running) {
      const mates = this.lists.get(this.running) ?? [];
      constraints.push(...this.notDueAt(passed, mates.slice(0, 1)), ...this.before(timer, heads));
    }
    return this.solve(constraints, this.notDueAt(passedBefore, heads), true);
  }

  private inNextPhase(timer: Timer, awake: boolean): Plan | null {
    const { passed } = this;
    const heads = this.heads();
    const constraints = [...this.notDueAt(passed, [timer]), ...this.before(timer, heads)];
    if (awake) constraints.push({ from: timer.start, to: this.timeline.last, weight: timer.delay });
    return this.solve(constraints, this.notDueAt(passed, heads), false);
  }

  private solve(constraints: Constraint[], meanwhile: Constraint[], samePhase: boolean): Plan | null {
    const raised = this.attempt([...constraints, ...meanwhile]);
    return raised && { raised, constraints, samePhase };
  }

  /** Prefers a late answer of the host to a pause of the CPU where both explain an order. */
  private attempt(constraints: readonly Constraint[]): Raised | null {
    const lift = (moment: number): number | null => {
      for (const [head] of this.lists.values()) if (head!.start === moment) return head!.cause;
      return null;
    };
    return this.timeline.attempt(constraints, lift) ?? this.timeline.attempt(constraints);
  }

  private notDueAt(moment: number, timers: readonly Timer[]): Constraint[] {
    if (moment < 0) return [];
    return timers
      .filter(({ start }) => start <= moment)
      .map(({ start, delay }) => ({ from: moment, to: start, weight: 1 - delay }));
  }

  /** `timer` expires before the others; of two that expire together the one that started first fires first. */
  private before(timer: Timer, others: readonly Timer[]): Constraint[] {
    return others
      .filter((other) => other !== timer)
      .map((other) => ({
        from: timer.start,
        to: other.start,
        weight: timer.delay - other.delay + (timer.start < other.start ? 0 : 1),
      }));
  }

  /** The first timer of each list, by expiry. */
  private heads(): Timer[] {
    const heads = [...this.lists.values()].map(([head]) => head as Timer);
    return heads.length > 1
      ? heads.sort((a, b) => this.expiry(a) - this.expiry(b) || a.start - b.start)
      : heads;
  }

  private expiry({ start, delay }: Timer): number {
    return this.timeline.timeOf(start) + delay;
  }
}
