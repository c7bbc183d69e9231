/**
 * Timers of a Node process: which may fire next (C3).
 *
 * Node keeps one list per delay, in order of start. When the loop passes its timers phase it runs all that is
 * due at that time, list after list by the expiry of their heads, each list as far as it is due, and nothing
 * comes between. So an order is possible if and only if there are times for the moments of the run such that
 * - a timer that fired in a phase was due at it and had not been due at the phase before;
 * - what had started before a phase and did not fire in it was not due at it;
 * - inside one phase the lists follow each other by the expiry of their heads;
 * - two phases are at least 1 ms apart: at the end of one Node sets its alarm anew, no sooner than 1 ms after it looked
 *   at the clock last, which it does when a timer is started. Rounds of the loop within this 1 ms overlook what is due.
 * A pause of the CPU or a late answer of the host may lie between any two moments: that is what moves times.
 */
import type { Timeline } from './timeline.ts';
import { type Place, precedence, type Timer, TimerLists } from './timer-lists.ts';

/**
 * Whether the loop may wait for a timer: `asleep` until it is due; `awake`: no, it must be due by the end of the
 * present turn, the latest moment; `same phase`: only the timers phase that is on may go on.
 */
export type Sleep = 'asleep' | 'awake' | 'same phase';

/** A timer that may fire next, and what that presumes. */
export interface Candidate {
  readonly id: number;
  /** When it would fire. */
  readonly at: number;
  /** How much later than at the earliest something must have happened, ms. */
  readonly pause: number;
}

/**
 * How a timer would fire: in the timers phase that is on, or in another one, and whether its list comes in its
 * {@link TimerLists.keptPlace kept place}.
 */
export interface Firing {
  readonly where: 'same' | 'next';
  readonly kept: boolean;
}

/** What may come next: nothing else than behind timers with the same `where` and a `profile` that is nowhere greater. */
export interface Outlook {
  readonly where: string;
  readonly profile: readonly number[];
}

/** So many timers are looked at, those due first, unless none of them may fire; more would only matter to a very long pause. */
const MOST_CANDIDATES = 12;

/** How the loop leaves its timers phase: see {@link Timers.leaves}. */
export type Leave = 'quiet' | 'overlooked';

export class Timers {
  private readonly timeline: Timeline;
  private readonly ordered: boolean;
  /** So much later than its alarm the loop may wake up, ms. */
  private readonly longestPause: number;
  private readonly lists: TimerLists;
  /** When the loop passed its timers phase last, and the time before that; -1 for never. */
  private passed = -1;
  private passedBefore = -1;
  /** The phase may still go on: whether timers that are due fire in it is not decided yet. */
  private open = false;
  /** The place of the list that runs in the open phase, when its turn came. */
  private running: Place | null = null;
  /** The moment of the last phase at which Node looked at the clock last before it set its alarm; -1 for never. */
  private alarm = -1;
  /** The moment since the last timer fired at which it looked at the clock in ticks; -1 for never. */
  private ticked = -1;
  /** Grows with every change that may change the candidates. */
  version = 0;

  /** `ordered` false: any pending timer may fire at any time. */
  constructor(timeline: Timeline, ordered: boolean, longestPause: number, lists = new TimerLists(timeline)) {
    this.timeline = timeline;
    this.longestPause = longestPause;
    this.ordered = ordered;
    this.lists = lists;
  }

  /** The same timers on a copy of their timeline. */
  copy(timeline: Timeline): Timers {
    const copy = new Timers(timeline, this.ordered, this.longestPause, this.lists.copy(timeline));
    copy.passed = this.passed;
    copy.passedBefore = this.passedBefore;
    copy.open = this.open;
    copy.running = this.running;
    copy.alarm = this.alarm;
    copy.ticked = this.ticked;
    copy.version = this.version;
    return copy;
  }

  /** Whether the loop is in the same phase, begun at the same moment. */
  isWhere({ passed, open, running, alarm }: Timers): boolean {
    const isRunning = this.running?.start === running?.start && this.running?.delay === running?.delay;
    return this.passed === passed && this.open === open && isRunning && this.alarm === alarm;
  }

  get size(): number {
    return this.lists.size;
  }

  /** Where the loop is, and what binds the moments on which what comes next may depend: see {@link Timeline.profile}. */
  outlook(): Outlook {
    const { timeline, passed, open, running, alarm, ticked } = this;
    const before = open ? this.passedBefore : -1;
    const where = [passed, before, running?.start, running?.delay, alarm, ticked, open].join();
    return { where, profile: timeline.profile(this.loose()) };
  }

  /** So many moments are looked at, at most, to tell the outlook. */
  outlookCost(): number {
    const moments = this.loose();
    return moments.length * (this.timeline.last - Math.min(...moments));
  }

  /** The moments on which what comes next may depend. */
  private loose(): number[] {
    const { timeline, passed, passedBefore, open, running, alarm, ticked } = this;
    const before = open ? passedBefore : -1;
    const moments = new Set([timeline.last, passed, before, alarm, ticked, running?.start ?? -1]);
    for (const start of this.lists.starts()) moments.add(start);
    moments.delete(-1);
    return [...moments];
  }

  /** The earliest moment at which a pending timer started that may be due soon; infinite where there is none. */
  oldestStart(): number {
    return this.lists.oldestStart();
  }

  /**
   * A timer starts at the latest moment. `ticking`: in a tick or a microtask, before which Node has left the list of the
   * timer whose turn it is and, unless another one fires, has set its alarm.
   */
  start(id: number, delay: number, ref: boolean, cause: number, ticking: boolean): void {
    this.version += 1;
    const timer: Timer = { id, delay, start: this.timeline.last, cause, ref };
    if (ticking) this.lists.endTurn(timer.start - 0.5);
    this.lists.add(timer);
    if (this.open && ticking) this.ticked = timer.start;
    else if (this.open) this.alarm = timer.start;
  }

  /** A timer is taken back; `putOff`: to be started anew in the same moment. */
  cancel(id: number, putOff = false): void {
    const timer = this.lists.get(id);
    if (!timer) return;
    this.version += 1;
    this.lists.cancel(timer, putOff);
  }

  setRef(id: number, ref: boolean): void {
    const timer = this.lists.get(id);
    if (timer) timer.ref = ref;
  }

  /** True where a pending timer keeps the process alive. */
  get anyRef(): boolean {
    for (const timer of this.lists.all()) if (timer.ref) return true;
    return false;
  }

  expiryOf(id: number): number | undefined {
    const timer = this.lists.get(id);
    return timer && this.lists.expiry(timer);
  }

  /** The timers that may fire next. */
  candidates(sleep: Sleep): Candidate[] {
    if (this.lists.size === 0) return [];
    const found: Candidate[] = [];
    for (const [nth, timer] of [...(this.ordered ? this.lists.inOrder() : this.lists.all())].entries()) {
      if (this.ordered && nth >= MOST_CANDIDATES && found.length > 0) break;
      const firing = this.plan(timer, sleep);
      if (firing) found.push(this.candidate(timer, firing));
    }
    return found;
  }

  /** Reads off the present trial what firing this timer presumes. */
  private candidate(timer: Timer, { where }: Firing): Candidate {
    const { timeline } = this;
    const due = timeline.at(timer.start) + timer.delay;
    const at = Math.max(timeline.at(timeline.last), due, where === 'next' ? this.earliest() : 0);
    return { id: timer.id, at, pause: timeline.shift };
  }

  /** How a timer may fire next; what presumes least comes first. */
  ways(id: number, sleep: Sleep): Firing[] {
    const timer = this.lists.get(id);
    return timer && this.mayBeNext(timer)
      ? this.order(timer, sleep).filter((firing) => this.fits(timer, firing, sleep))
      : [];
  }

  /**
   * Fires a timer in one of its {@link ways}, and tells how much later than at the earliest something must have happened
   * for that, ms. The moment at which it fires is the latest one then.
   */
  fire(id: number, firing: Firing, within: number, sleep: Sleep): number {
    const { timeline } = this;
    const timer = this.lists.get(id);
    if (!timer || !this.fits(timer, firing, sleep)) throw new Error(`timer ${id} cannot fire`);
    const { shift } = timeline;
    timeline.commit();
    const place = this.placeOf(timer, firing.kept);
    if (firing.kept) this.stayAwakeFor(timer, place);
    this.version += 1;
    this.lists.fire(timer);
    const isSame = firing.where === 'same';
    const before = isSame ? this.passedBefore : this.passed;
    // Neither it nor its list had been due at the phase before.
    for (const { start } of [timer, place])
      if (this.ordered && start <= before) timeline.keep(before, start, 1 - timer.delay);
    if (isSame) this.goOn(timer, place, within);
    else this.open = this.beginPhase(timer, place);
    return shift;
  }

  private goOn(timer: Timer, place: Place, within: number): void {
    const { timeline, running } = this;
    timeline.keep(timer.start, this.passed, timer.delay);
    timeline.add(0, timeline.last, within);
    this.alarm = Math.max(this.alarm, this.ticked);
    this.ticked = -1;
    if (!running || running.delay === timer.delay) return;
    timeline.keep(running.start, place.start, precedence(running, place.delay, place.stamp));
    this.running = place;
  }

  private beginPhase(timer: Timer, place: Place): true {
    const { timeline } = this;
    const moment = timeline.add(Math.max(this.lists.expiry(timer), this.earliest()));
    if (this.ordered) {
      timeline.keep(timer.start, moment, timer.delay);
      if (this.alarm >= 0) timeline.keep(this.alarm, moment, 1);
    }
    this.alarm = moment;
    this.ticked = -1;
    this.passedBefore = this.passed;
    this.passed = moment;
    this.running = place;
    return true;
  }

  /** When the next phase may begin in the present trial, ms. */
  private earliest(): number {
    return this.ordered && this.alarm >= 0 ? this.timeline.at(this.alarm) + 1 : 0;
  }

  /**
   * How the loop may leave its timers phase now (`again`: and pass another one in which nothing fires): `quiet`: no
   * timer is due; `overlooked`: some may be, but the alarm has not gone off.
   */
  leaves(again: boolean): Leave[] {
    const ways: Leave[] = this.mayBeDue() ? ['quiet', 'overlooked'] : ['quiet'];
    return ways.filter((way) => this.mayLeave(again, way));
  }

  /** Something started before the alarm was set and is not so far away that it cannot be due. */
  private mayBeDue(): boolean {
    return this.oldestStart() <= this.alarm;
  }

  /** Whether it may leave in this way. The trial says what has to move for that. */
  mayLeave(again: boolean, way: Leave): boolean {
    this.lists.endTurn();
    const { timeline, alarm } = this;
    if (this.isFree(again)) {
      timeline.begin();
      return way === 'quiet';
    }
    if (way === 'overlooked') {
      if (!again || alarm < 0) return false;
      timeline.begin();
      return timeline.require(timeline.last, alarm, 0);
    }
    const moment = again ? timeline.last : this.passed;
    return this.solve((explain) => this.settle((head) => this.isNotDue(head, moment, explain)));
  }

  /** No timer can be due, whatever moves. */
  isFree(again: boolean): boolean {
    return !this.ordered || this.lists.size === 0 || (!this.open && !again);
  }

  /**
   * The loop leaves its timers phase in one of the ways that {@link leaves} offered. Tells how much later than at the
   * earliest something must have happened for that, ms.
   */
  leave(again: boolean, way: Leave): number {
    if (!this.mayLeave(again, way)) throw new Error('a timer is due');
    const { timeline } = this;
    const { shift } = timeline;
    timeline.commit();
    this.version += 1;
    if (way === 'overlooked') timeline.keep(timeline.last, this.alarm, 0);
    else if (again) this.passed = timeline.last;
    this.open = false;
    return shift;
  }

  /** Whether and where `timer` may fire next. The trial says what has to move for that. */
  private plan(timer: Timer, sleep: Sleep): Firing | null {
    if (!this.mayBeNext(timer)) return null;
    for (const firing of this.order(timer, sleep)) if (this.fits(timer, firing, sleep)) return firing;
    return null;
  }

  /** It is the first of its list. */
  private mayBeNext(timer: Timer): boolean {
    return !this.ordered || this.lists.isHead(timer);
  }

  private order(timer: Timer, sleep: Sleep): readonly Firing[] {
    if (!this.ordered) return [NEXT];
    const isMoved = this.lists.keptPlace(timer).start === timer.start;
    if (sleep === 'same phase') return isMoved ? [SAME] : [SAME, SAME_KEPT];
    const due = this.passed >= 0 && this.lists.expiry(timer) <= this.timeline.timeOf(this.passed);
    const moved = due ? [SAME, NEXT] : [NEXT, SAME];
    return isMoved ? moved : [...moved, NEXT_KEPT, SAME_KEPT];
  }

  private fits(timer: Timer, { where, kept }: Firing, sleep: Sleep): boolean {
    this.lists.endTurn();
    if (this.ordered) {
      const place = this.placeOf(timer, kept);
      return where === 'same' ? this.fitsSame(timer, place) : this.fitsNext(timer, place, sleep);
    }
    this.timeline.begin();
    return true;
  }

  private fitsSame(timer: Timer, place: Place): boolean {
    const { timeline, passed, passedBefore, running } = this;
    if (!this.open || !running || timer.start >= passed) return false;
    const goesOn = timer.delay === running.delay;
    const isKept = place.start !== timer.start;
    if (goesOn && isKept) return false;
    return this.solve((explain) => {
      if (!timeline.require(timer.start, passed, timer.delay)) return false;
      if (isKept && !(this.isAhead(place, passedBefore) && this.isAwakeFor(timer, place))) return false;
      if (
        !goesOn &&
        !timeline.require(running.start, place.start, precedence(running, place.delay, place.stamp))
      )
        return false;
      return this.settle((head) => {
        if (!this.isNotDue(head, passedBefore, explain)) return false;
        if (isKept && !this.isAwakeFor(timer, head)) return false;
        if (head === timer) return true;
        // The list that runs goes on as far as it is due; then the lists come by the expiry of their heads.
        if (goesOn) return this.isAfter(running, head, explain);
        if (head.delay === running.delay) return this.isNotDue(head, passed, explain);
        return this.isAfter(place, head, explain);
      });
    });
  }

  private fitsNext(timer: Timer, place: Place, sleep: Sleep): boolean {
    const { timeline, passed } = this;
    const isKept = place.start !== timer.start;
    return this.solve((explain) => {
      if (sleep === 'awake' && !this.isDueBy(timer, timeline.last)) return false;
      if (isKept && !(this.isAhead(place, passed) && this.isAwakeFor(timer, place))) return false;
      return this.settle((head) => {
        if (!this.isNotDue(head, passed, explain)) return false;
        if (isKept && !this.isAwakeFor(timer, head)) return false;
        return head === timer || this.isAfter(place, head, explain);
      });
    });
  }

  /** A phase in which the timer is due may come as late as that behind the time at which something else expires. */
  private isAwakeFor(timer: Timer, other: Pick<Place, 'start' | 'delay'>): boolean {
    if (this.longestPause === Number.POSITIVE_INFINITY) return true;
    return this.timeline.require(timer.start, other.start, timer.delay - other.delay - this.longestPause);
  }

  /** The same, for ever, of the place at which the timer's list comes and of all heads. */
  private stayAwakeFor(timer: Timer, place: Place): void {
    if (this.longestPause < Number.POSITIVE_INFINITY)
      for (const { start, delay } of [place, ...this.lists.heads()])
        if (start !== timer.start)
          this.timeline.keep(timer.start, start, timer.delay - delay - this.longestPause);
  }

  /** Where the list of its head comes: in the place that it kept, or in that of the head. */
  private placeOf(head: Timer, kept: boolean): Place {
    return kept ? this.lists.keptPlace(head) : this.lists.ownPlace(head);
  }

  /** No phase has moved a list from its place so far. */
  private isAhead({ start, delay }: Place, moment: number): boolean {
    return start > moment || this.timeline.require(moment, start, 1 - delay);
  }

  private isDueBy({ start, delay }: Timer, moment: number): boolean {
    const { timeline, alarm } = this;
    if (!timeline.require(start, moment, delay)) return false;
    return alarm < 0 || timeline.require(alarm, moment, 1);
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
      if (!this.lists.everyHead(demand)) return false;
    } while (this.timeline.changes !== changes);
    return true;
  }

  private isNotDue({ start, delay, cause }: Timer, moment: number, explain: boolean): boolean {
    if (start > moment) return true;
    const { timeline } = this;
    if (timeline.at(start) + delay > timeline.at(moment)) return true;
    return timeline.require(moment, start, 1 - delay, explain ? cause : -1);
  }

  private isAfter(first: Place, second: Timer, explain: boolean): boolean {
    if (first.delay === second.delay) return true;
    const { timeline } = this;
    const weight = precedence(first, second.delay, this.lists.stampOf(second));
    if (timeline.at(second.start) >= timeline.at(first.start) + weight) return true;
    return timeline.require(first.start, second.start, weight, explain ? second.cause : -1);
  }
}

const [SAME, NEXT]: readonly [Firing, Firing] = [
  { where: 'same', kept: false },
  { where: 'next', kept: false },
];
const [SAME_KEPT, NEXT_KEPT]: readonly [Firing, Firing] = [
  { where: 'same', kept: true },
  { where: 'next', kept: true },
];
