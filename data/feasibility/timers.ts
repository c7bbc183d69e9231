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

/**
 * How a timer would fire: in the timers phase that is on, or in another one, and whether its list comes in its
 * {@link Timers.places kept place}.
 */
export interface Firing {
  readonly where: 'same' | 'next';
  readonly kept: boolean;
}

/** Where a list comes among those of one phase: by when a timer of this start and delay expires. */
interface Place {
  readonly start: number;
  readonly delay: number;
  /** See {@link Timers.stamps}. */
  readonly stamp: number;
}

/** How the loop leaves its timers phase: see {@link Timers.leaves}. */
export type Leave = 'quiet' | 'overlooked';

export class Timers {
  private readonly timeline: Timeline;
  private readonly ordered: boolean;
  /** So much later than its alarm the loop may wake up, ms. */
  private readonly longestPause: number;
  private readonly byId = new Map<number, Timer>();
  /** Pending timers by delay, each list in order of start. */
  private readonly lists = new Map<number, Timer[]>();
  /** When the loop passed its timers phase last, and the time before that; -1 for never. */
  private passed = -1;
  private passedBefore = -1;
  /** The phase may still go on: whether timers that are due fire in it is not decided yet. */
  private open = false;
  /** The place of the list that runs in the open phase, when its turn came. */
  private running: Place | null = null;
  /**
   * Of two lists that expire together the one comes first that was made, or waited for its next timer, earlier: for
   * each delay a moment, and half of one more behind the last moment of a turn.
   */
  private readonly stamps = new Map<number, number>();
  /**
   * The place at which a list came when it was made or waited for its next timer. It keeps it, even if the timer that
   * gave it is put off or taken back, until a phase passes behind that time and finds nothing due. Only lists that
   * became empty by a timer that held the process alive lose theirs.
   */
  private readonly places = new Map<number, Place>();
  /** The delay of the timer that fired last: if its list is not empty behind the turn, it waits from then on. */
  private visited = -1;
  /** The moment of the last phase at which Node looked at the clock last before it set its alarm; -1 for never. */
  private alarm = -1;
  /** The moment since the last timer fired at which it looked at the clock in ticks; -1 for never. */
  private ticked = -1;
  /** Grows with every change that may change the candidates. */
  version = 0;

  /** `ordered` false: any pending timer may fire at any time. */
  constructor(timeline: Timeline, ordered: boolean, longestPause: number) {
    this.timeline = timeline;
    this.longestPause = longestPause;
    this.ordered = ordered;
  }

  /** The same timers on a copy of their timeline. */
  copy(timeline: Timeline): Timers {
    const copy = new Timers(timeline, this.ordered, this.longestPause);
    for (const [id, timer] of this.byId) copy.byId.set(id, timer);
    for (const [delay, list] of this.lists) copy.lists.set(delay, [...list]);
    copy.passed = this.passed;
    copy.passedBefore = this.passedBefore;
    copy.open = this.open;
    copy.running = this.running;
    copy.alarm = this.alarm;
    copy.ticked = this.ticked;
    for (const [delay, stamp] of this.stamps) copy.stamps.set(delay, stamp);
    for (const [delay, place] of this.places) copy.places.set(delay, place);
    copy.visited = this.visited;
    copy.version = this.version;
    return copy;
  }

  /** Whether the loop is in the same phase, begun at the same moment. */
  isWhere({ passed, open, running, alarm }: Timers): boolean {
    const isRunning = this.running?.start === running?.start && this.running?.delay === running?.delay;
    return this.passed === passed && this.open === open && isRunning && this.alarm === alarm;
  }

  get size(): number {
    return this.byId.size;
  }

  /** The earliest moment at which a pending timer started that may be due soon; infinite where there is none. */
  oldestStart(): number {
    const { now, farthest } = this.timeline;
    let oldest = Number.POSITIVE_INFINITY;
    for (const [delay, [head]] of this.lists)
      if (this.expiry(head as Timer) - now <= farthest)
        oldest = Math.min(oldest, (head as Timer).start, (this.places.get(delay) as Place).start);
    return oldest;
  }

  /**
   * A timer starts at the latest moment. `ticking`: in a tick or a microtask, before which Node has left the list of the
   * timer whose turn it is and, unless another one fires, has set its alarm.
   */
  start(id: number, delay: number, ref: boolean, cause: number, ticking: boolean): void {
    this.version += 1;
    const timer: Timer = { id, delay, start: this.timeline.last, cause, ref };
    if (ticking) this.endTurn(timer.start - 0.5);
    this.byId.set(id, timer);
    const list = this.lists.get(delay);
    if (list) list.push(timer);
    else {
      this.lists.set(delay, [timer]);
      this.stamps.set(delay, timer.start);
      if (!this.places.has(delay)) this.places.set(delay, { start: timer.start, delay, stamp: timer.start });
    }
    if (this.open && ticking) this.ticked = timer.start;
    else if (this.open) this.alarm = timer.start;
  }

  /** A timer is taken back; `putOff`: to be started anew in the same moment. */
  cancel(id: number, putOff = false): void {
    const timer = this.byId.get(id);
    if (!timer) return;
    this.remove(timer);
    if (!putOff && timer.ref && !this.lists.has(timer.delay)) this.places.delete(timer.delay);
  }

  private remove(timer: Timer): void {
    this.version += 1;
    this.byId.delete(timer.id);
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
    for (const timer of this.ordered ? this.firstHeads() : this.byId.values()) {
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
    const timer = this.byId.get(id);
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
    const timer = this.byId.get(id);
    if (!timer || !this.fits(timer, firing, sleep)) throw new Error(`timer ${id} cannot fire`);
    const { shift } = timeline;
    timeline.commit();
    const place = this.placeOf(timer, firing.kept);
    if (firing.kept) this.stayAwakeFor(timer, place);
    this.remove(timer);
    if (!this.lists.has(timer.delay)) this.places.delete(timer.delay);
    this.visited = timer.delay;
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
    const moment = timeline.add(Math.max(this.expiry(timer), this.earliest()));
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
    this.endTurn();
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
    return !this.ordered || this.byId.size === 0 || (!this.open && !again);
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
    return !this.ordered || this.lists.get(timer.delay)?.[0] === timer;
  }

  private order(timer: Timer, sleep: Sleep): readonly Firing[] {
    if (!this.ordered) return [NEXT];
    const isMoved = this.places.get(timer.delay)?.start === timer.start;
    if (sleep === 'same phase') return isMoved ? [SAME] : [SAME, SAME_KEPT];
    const due = this.passed >= 0 && this.expiry(timer) <= this.timeline.timeOf(this.passed);
    const moved = due ? [SAME, NEXT] : [NEXT, SAME];
    return isMoved ? moved : [...moved, NEXT_KEPT, SAME_KEPT];
  }

  private fits(timer: Timer, { where, kept }: Firing, sleep: Sleep): boolean {
    this.endTurn();
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
      if (isKept) {
        if (!this.isAhead(place, passedBefore) || !this.isAwakeFor(timer, place)) return false;
        if (!timeline.require(running.start, place.start, precedence(running, place.delay, place.stamp)))
          return false;
      }
      return this.settle((head) => {
        if (!this.isNotDue(head, passedBefore, explain)) return false;
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
    const heads = [...this.lists.values()].map(([head]) => head as Timer);
    if (this.longestPause < Number.POSITIVE_INFINITY)
      for (const { start, delay } of [place, ...heads])
        if (start !== timer.start)
          this.timeline.keep(timer.start, start, timer.delay - delay - this.longestPause);
  }

  private endTurn(stamp = this.timeline.last + 0.5): void {
    const delay = this.visited;
    this.visited = -1;
    const head = this.lists.get(delay)?.[0];
    if (!head) return;
    this.stamps.set(delay, stamp);
    this.places.set(delay, { start: head.start, delay, stamp });
  }

  private stampOf({ delay }: Timer): number {
    return this.stamps.get(delay) as number;
  }

  /** Where the list of its head comes: in the place that it kept, or in that of the head. */
  private placeOf(head: Timer, kept: boolean): Place {
    if (kept) return this.places.get(head.delay) as Place;
    return { start: head.start, delay: head.delay, stamp: this.ordered ? this.stampOf(head) : 0 };
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

  private isAfter(first: Place, second: Timer, explain: boolean): boolean {
    if (first.delay === second.delay) return true;
    const { timeline } = this;
    const weight = precedence(first, second.delay, this.stampOf(second));
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
    return difference < 0 || (difference === 0 && this.stampOf(a) < this.stampOf(b));
  }

  private expiry({ start, delay }: Timer): number {
    return this.timeline.timeOf(start) + delay;
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

/** How much later the second must start at least to come behind the first. */
function precedence(first: Place, delay: number, stamp: number): number {
  return first.delay - delay + (first.stamp < stamp ? 0 : 1);
}
