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
import type { Timeline } from './timeline.ts';

/** So many timers are looked at, those due first; more would only matter to a very long pause. */
const MOST_CANDIDATES = 12;

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
  /** The delivery of a host request in whose turn it started; -1 for other turns. */
  readonly cause: number;
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

/** In which timers phase a timer would fire: the one that is on, or another one. */
type Where = 'same' | 'next';

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
  /** The timer that was the head of the list that runs in the open phase, when that list's turn came. */
  private running: Timer | null = null;
  /** Grows with every change that may change the candidates. */
  version = 0;

  /** `ordered` false: any pending timer may fire at any time. */
  constructor(timeline: Timeline, ordered: boolean) {
    this.timeline = timeline;
    this.ordered = ordered;
  }

  get size(): number {
    return this.byId.size;
  }

  /** A timer starts at the latest moment. */
  start(id: number, delay: number, ref: boolean, cause: number): void {
    this.version += 1;
    const timer: Timer = { id, delay, start: this.timeline.last, cause, ref };
    this.byId.set(id, timer);
    const list = this.lists.get(delay);
    if (list) list.push(timer);
    else this.lists.set(delay, [timer]);
  }

  cancel(id: number): void {
    const timer = this.byId.get(id);
    if (!timer) return;
    this.version += 1;
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
    const found: Candidate[] = [];
    for (const timer of this.ordered ? this.firstHeads() : this.byId.values())
      if (this.plan(timer, sleep)) found.push(this.candidate(timer));
    return found;
  }

  /** Reads off the present trial what firing this timer presumes. */
  private candidate(timer: Timer): Candidate {
    const { timeline } = this;
    const at = Math.max(timeline.at(timeline.last), timeline.at(timer.start) + timer.delay);
    return { id: timer.id, at, pause: timeline.shift };
  }

  /** Fires a timer that {@link candidates} offered. The moment at which it fires is the latest one then. */
  fire(id: number, within: number, sleep: Sleep): void {
    const { timeline } = this;
    const timer = this.byId.get(id);
    const where = timer && this.plan(timer, sleep);
    if (!timer || !where) throw new Error(`timer ${id} cannot fire`);
    timeline.commit();
    this.cancel(id);
    const before = where === 'same' ? this.passedBefore : this.passed;
    // It had not been due at the phase before.
    if (this.ordered && timer.start <= before) timeline.keep(before, timer.start, 1 - timer.delay);
    if (where === 'same') this.goOn(timer, within);
    else this.open = this.beginPhase(timer);
  }

  private goOn(timer: Timer, within: number): void {
    const { timeline, running } = this;
    timeline.keep(timer.start, this.passed, timer.delay);
    timeline.add(0, timeline.last, within);
    if (!running || running.delay === timer.delay) return;
    timeline.keep(running.start, timer.start, precedence(running, timer));
    this.running = timer;
  }

  private beginPhase(timer: Timer): true {
    const { timeline } = this;
    const moment = timeline.add(this.expiry(timer));
    if (this.ordered) timeline.keep(timer.start, moment, timer.delay);
    this.passedBefore = this.passed;
    this.passed = moment;
    this.running = timer;
    return true;
  }

  /**
   * Whether the loop may leave its timers phase now (`again`: and pass another one in which nothing fires): no
   * timer may be due. The trial says what has to move for that.
   */
  mayPass(again: boolean): boolean {
    const { timeline } = this;
    if (this.isFree(again)) {
      timeline.begin();
      return true;
    }
    const moment = again ? timeline.last : this.passed;
    return this.solve((explain) => this.settle((head) => this.isNotDue(head, moment, explain)));
  }

  /** No timer can be due, whatever moves. */
  private isFree(again: boolean): boolean {
    return !this.ordered || this.byId.size === 0 || (!this.open && !again);
  }

  /** The loop leaves its timers phase; {@link mayPass} said that it may. */
  pass(again: boolean): void {
    if (!this.mayPass(again)) throw new Error('a timer is due');
    this.timeline.commit();
    this.version += 1;
    if (again) this.passed = this.timeline.last;
    this.open = false;
  }

  /** Whether and where `timer` may fire next. The trial says what has to move for that. */
  private plan(timer: Timer, sleep: Sleep): Where | null {
    if (!this.ordered) {
      this.timeline.begin();
      return 'next';
    }
    if (this.lists.get(timer.delay)?.[0] !== timer) return null;
    const due = this.passed >= 0 && this.expiry(timer) <= this.timeline.timeOf(this.passed);
    const order: readonly Where[] = due ? ['same', 'next'] : ['next', 'same'];
    for (const where of sleep === 'same phase' ? (['same'] as const) : order)
      if (where === 'same' ? this.fitsSame(timer) : this.fitsNext(timer, sleep)) return where;
    return null;
  }

  private fitsSame(timer: Timer): boolean {
    const { passed, passedBefore, running } = this;
    if (!this.open || !running || timer.start >= passed) return false;
    const goesOn = timer.delay === running.delay;
    return this.solve((explain) => {
      if (!this.timeline.require(timer.start, passed, timer.delay)) return false;
      return this.settle((head) => {
        if (!this.isNotDue(head, passedBefore, explain)) return false;
        if (head === timer) return true;
        // The list that runs goes on as far as it is due; then the lists come by the expiry of their heads.
        if (goesOn) return this.isAfter(running, head, explain);
        if (head.delay === running.delay) return this.isNotDue(head, passed, explain);
        return this.isAfter(timer, head, explain);
      });
    });
  }

  private fitsNext(timer: Timer, sleep: Sleep): boolean {
    const { timeline, passed } = this;
    return this.solve((explain) => {
      if (sleep === 'awake' && !timeline.require(timer.start, timeline.last, timer.delay)) return false;
      return this.settle((head) => {
        if (!this.isNotDue(head, passed, explain)) return false;
        return head === timer || this.isAfter(timer, head, explain);
      });
    });
  }

  /** Tries with late answers of the host as explanation, then with pauses of the CPU alone. */
  private solve(attempt: (explain: boolean) => boolean): boolean {
    this.timeline.begin();
    if (attempt(true)) return true;
    if (!this.timeline.lifted) return false;
    this.timeline.begin();
    return attempt(false);
  }

  /** Demands something of every head until nothing moves any more. */
  private settle(demand: (head: Timer) => boolean): boolean {
    let { changes } = this.timeline;
    do {
      changes = this.timeline.changes;
      for (const [head] of this.lists.values()) if (!demand(head as Timer)) return false;
    } while (this.timeline.changes !== changes);
    return true;
  }

  private isNotDue({ start, delay, cause }: Timer, moment: number, explain: boolean): boolean {
    if (start > moment) return true;
    const { timeline } = this;
    if (timeline.at(start) + delay > timeline.at(moment)) return true;
    return timeline.require(moment, start, 1 - delay, explain ? cause : -1);
  }

  private isAfter(first: Timer, second: Timer, explain: boolean): boolean {
    if (first === second) return true;
    const { timeline } = this;
    const weight = precedence(first, second);
    if (timeline.at(second.start) >= timeline.at(first.start) + weight) return true;
    return timeline.require(first.start, second.start, weight, explain ? second.cause : -1);
  }

  /** The heads of the lists that expire first, in that order. */
  private firstHeads(): Timer[] {
    const first: Timer[] = [];
    for (const [head] of this.lists.values()) {
      const timer = head as Timer;
      let at = first.length;
      while (at > 0 && this.precedes(timer, first[at - 1] as Timer)) at--;
      if (at >= MOST_CANDIDATES) continue;
      first.splice(at, 0, timer);
      if (first.length > MOST_CANDIDATES) first.pop();
    }
    return first;
  }

  private precedes(a: Timer, b: Timer): boolean {
    const difference = this.expiry(a) - this.expiry(b);
    return difference < 0 || (difference === 0 && a.start < b.start);
  }

  private expiry({ start, delay }: Timer): number {
    return this.timeline.timeOf(start) + delay;
  }
}

/**
 * How much later the second must start at least to expire after the first; of two that expire together the one
 * that started first comes first.
 */
function precedence(first: Timer, second: Timer): number {
  return first.delay - second.delay + (first.start < second.start ? 0 : 1);
}
