/**
 * Timers of a Node process: which may fire next (C3).
 *
 * Node keeps one list per delay. A phase visits all lists whose places expire by then, in that order, and runs each as far
 * as it is due; one that has to wait gets the place of its first timer, whether any of it was due or not. So an order is
 * possible if and only if there are times for the moments of the run such that
 * - what fired in a phase was due at it, and so was the place of its list;
 * - behind a phase all places expire later than it;
 * - inside one phase the lists follow each other by their places;
 * - two phases are at least 1 ms apart: at the end of one Node sets its alarm anew, no sooner than 1 ms after it looked
 *   at the clock last, which it does when a timer is started. Rounds of the loop within this 1 ms overlook what is due.
 * Phases in which nothing fires matter where a list has lost the timer that gave it its place: they move it.
 * A pause of the CPU or a late answer of the host may lie between any two moments: that is what moves times.
 */
import { Course, type Demand, visits } from './course.ts';
import { type Outlook, outlookOf } from './outlook.ts';
import type { Timeline } from './timeline.ts';
import { type List, type Place, type Timer, TimerLists } from './timer-lists.ts';

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

/** Lists, by delay, in which phases find nothing due, in the order of the visits. */
interface Visits {
  /** In the phase that is on, when it ends. */
  readonly ending: readonly number[];
  /** In a phase at the latest moment, in which nothing fires. */
  readonly idle: readonly number[];
}

/** How a timer would fire: in the timers phase that is on, behind visits to the lists `ahead`, or in another one. */
export interface Firing extends Visits {
  readonly where: 'same' | 'next';
  readonly ahead: readonly number[];
}

/**
 * How the loop may leave its timers phase: `quiet`: the place of no list expires; `overlooked`: some do, but the alarm has
 * not gone off; `idle`: some lists are visited.
 */
export interface Exit extends Visits {
  readonly way: 'quiet' | 'overlooked' | 'idle';
}

/** Where the first timer of a list is taken back in a tick of the one before: whether it was due. */
export type Taking = 'waits' | 'due';

/** How a timer is started. */
export interface Start {
  readonly ref: boolean;
  readonly cause: number;
  /** In a tick or a microtask, before which Node has looked at the list of the timer whose turn it is. */
  readonly ticking: boolean;
  readonly repeats: boolean;
  /** When it is not the latest moment: it is started anew behind its callback, with the time before that. */
  readonly since: number;
}

/** So many timers are looked at, those due first, unless none of them may fire; more would only matter to a very long pause. */
const MOST_CANDIDATES = 12;

const NOWHERE: readonly number[] = [];
const SAME: Firing = { where: 'same', ending: NOWHERE, idle: NOWHERE, ahead: NOWHERE };
const NEXT: Firing = { ...SAME, where: 'next' };
const QUIET: Exit = { way: 'quiet', ending: NOWHERE, idle: NOWHERE };

export class Timers {
  private readonly timeline: Timeline;
  private readonly ordered: boolean;
  /** So much later than its alarm the loop may wake up, ms. */
  private readonly longestPause: number;
  private readonly lists: TimerLists;
  /** All places are behind this moment; -1: none. */
  private closed = -1;
  /** The phase that is on: whether timers that are due fire in it is not decided yet; -1: none. */
  private phase = -1;
  /** The place of the list that runs in it, when its turn came. */
  private running: Place | null = null;
  /** The moment of the last phase at which Node looked at the clock last before it set its alarm; -1 for never. */
  private alarm = -1;
  /** The moment since the last timer fired at which it looked at the clock in ticks; -1 for never. */
  private ticked = -1;
  /** The timer that fired last. */
  private fired: Timer | null = null;
  /** Node fires the timer of this delay, which is put off too late, in any case: the delay, then its new id; -1: none. */
  private seized = -1;
  private forced = -1;
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
    copy.closed = this.closed;
    copy.phase = this.phase;
    copy.running = this.running;
    copy.alarm = this.alarm;
    copy.ticked = this.ticked;
    copy.fired = this.fired;
    copy.seized = this.seized;
    copy.forced = this.forced;
    copy.version = this.version;
    return copy;
  }

  get size(): number {
    return this.lists.size;
  }

  /** Where the loop and the lists are; equal for readings that differ in times alone. */
  where(): string {
    const { closed, phase, running, alarm, ticked, forced } = this;
    return [closed, phase, running?.start, running?.delay, alarm, ticked, forced, this.lists.key()].join();
  }

  /** Where the loop is, and what binds the moments on which what comes next may depend. */
  outlook(): Outlook {
    return outlookOf(this.timeline, this.where(), this.loose());
  }

  /** So many moments are looked at, at most, to tell the outlook. */
  outlookCost(): number {
    const moments = this.loose();
    return moments.length * (this.timeline.last - Math.min(...moments));
  }

  /** The moments on which what comes next may depend. */
  private loose(): number[] {
    const { timeline, closed, phase, running, alarm, ticked } = this;
    const moments = new Set([timeline.last, closed, phase, alarm, ticked, running?.start ?? -1]);
    for (const start of this.lists.starts()) moments.add(start);
    moments.delete(-1);
    return [...moments];
  }

  /** The earliest moment at which a pending timer started that may be due soon; infinite where there is none. */
  oldestStart(): number {
    return this.lists.oldestStart();
  }

  /** A phase in which nothing fires may matter: what comes next needs a moment before it at which that may have been. */
  get isStale(): boolean {
    this.lists.endTurn(this.phase);
    return this.ordered && this.lists.stale().length > 0;
  }

  /** A timer starts, at the latest moment. */
  start(id: number, delay: number, { ref, cause, ticking, repeats, since }: Start): void {
    this.version += 1;
    const timer: Timer = { id, delay, start: since < 0 ? this.timeline.last : since, cause, repeats, ref };
    if (ticking) this.lists.endTurn(this.phase);
    this.lists.add(timer);
    if (delay === this.seized) this.forced = id;
    this.seized = -1;
    if (this.phase < 0 || since >= 0) return;
    if (ticking) this.ticked = timer.start;
    else this.alarm = timer.start;
  }

  /** What Node may have found in the list of a timer that is taken back. */
  takings(id: number, ticking: boolean): Taking[] {
    const timer = this.lists.get(id);
    if (ticking) this.lists.endTurn(this.phase);
    if (!timer || !this.ordered || !ticking || !this.isNextOfRun(timer)) return ['waits'];
    return (['waits', 'due'] as const).filter((taking) => this.mayTake(timer, taking));
  }

  /** The list of the timer whose turn it is has this one next, which was there when the phase began. */
  private isNextOfRun(timer: Timer): boolean {
    const { phase, running, lists } = this;
    return phase >= 0 && running?.delay === timer.delay && lists.isHead(timer) && timer.start < phase;
  }

  private mayTake(timer: Timer, taking: Taking): boolean {
    const { phase, running } = this;
    const list = this.lists.of(timer.delay) as List;
    return this.solve(
      (course) => (taking === 'due' ? course.isDue(timer, phase) : course.isBehind(list.place, phase)),
      (course, one) => one === list || course.isAfter(running as Place, one.place, phase),
    );
  }

  /** A timer is taken back; `putOff`: to be started anew in the same moment. */
  cancel(id: number, putOff: boolean, ticking: boolean, taking: Taking): void {
    const { timeline, phase } = this;
    if (ticking) this.lists.endTurn(phase);
    const timer = this.lists.get(id);
    if (!timer) {
      if (this.fired?.id === id) this.lists.cancelFired(this.fired.ref);
      return;
    }
    this.version += 1;
    const list = this.lists.of(timer.delay) as List;
    const isAwaited = this.lists.awaitsLook(list);
    const isInDoubt = this.ordered && ticking && this.isNextOfRun(timer);
    if (isInDoubt && this.mayTake(timer, taking)) timeline.commit();
    const goes = this.lists.cancel(timer, putOff);
    if (id === this.forced) this.forced = -1;
    if (isInDoubt && taking === 'due') {
      timeline.keep(timer.start, phase, timer.delay);
      if (!goes) this.lists.again(timer.delay);
      if (putOff) this.seized = timer.delay;
    } else if (goes && this.ordered && !isAwaited) this.leaveTrace(list);
  }

  /** A list is gone: that it did not come so far has to hold for ever. */
  private leaveTrace({ place, delay }: List): void {
    const { phase, running } = this;
    const course = this.course(this.keeper());
    course.isBehind(place, this.closed);
    if (phase >= 0 && running && delay !== running.delay) course.isAfter(running, place, phase);
  }

  setRef(id: number, ref: boolean): void {
    const timer = this.lists.get(id) ?? (this.fired?.id === id ? this.fired : undefined);
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

  /** Whether the times, which something else has moved, still explain that what is pending is still pending. */
  isSound(): boolean {
    if (!this.ordered || this.lists.isEmpty) return true;
    const { phase, running } = this;
    this.lists.endTurn(phase);
    const isSound = this.solve(
      () => true,
      (course, list) => {
        if (phase < 0 || !running) return course.isBehind(list.place, this.closed);
        return list.delay === running.delay || course.isAfter(running, list.place, phase);
      },
    );
    if (isSound) this.timeline.commit();
    return isSound;
  }

  /** The timers that may fire next. */
  candidates(sleep: Sleep): Candidate[] {
    if (this.lists.size === 0) return [];
    this.lists.endTurn(this.phase);
    const found: Candidate[] = [];
    for (const [nth, timer] of this.foremost().entries()) {
      if (this.ordered && nth >= MOST_CANDIDATES && found.length > 0) break;
      const firing = this.plan(timer, sleep);
      if (firing) found.push(this.candidate(timer, firing));
    }
    return found;
  }

  /** Those of which each is the first of its list. */
  private foremost(): readonly Timer[] {
    if (!this.ordered) return [...this.lists.all()];
    const forced = this.lists.get(this.forced);
    return forced ? [forced] : this.lists.inOrder();
  }

  /** Reads off the present trial what firing this timer presumes. */
  private candidate(timer: Timer, { where, idle }: Firing): Candidate {
    const { timeline, alarm } = this;
    const due = this.forced === timer.id ? 0 : timeline.at(timer.start) + timer.delay;
    const set = idle.length > 0 ? timeline.last : alarm;
    const rung = where === 'next' && this.ordered && set >= 0 ? timeline.at(set) + 1 : 0;
    return { id: timer.id, at: Math.max(timeline.at(timeline.last), due, rung), pause: timeline.shift };
  }

  /** Whether and how a timer may fire next, at the least cost. The trial says what has to move for that. */
  private plan(timer: Timer, sleep: Sleep): Firing | null {
    let best: Firing | null = null;
    let least = Number.POSITIVE_INFINITY;
    const all = this.order(timer, sleep);
    for (const firing of all) {
      if (!this.fits(timer, firing, sleep) || this.timeline.shift >= least) continue;
      best = firing;
      least = this.timeline.shift;
      if (least === 0 || all.length <= 2) return best;
    }
    if (best) this.fits(timer, best, sleep);
    return best;
  }

  /** How a timer may fire next; what presumes least comes first. */
  ways(id: number, sleep: Sleep): Firing[] {
    const timer = this.lists.get(id);
    if (!timer) return [];
    this.lists.endTurn(this.phase);
    const mayBeNext = this.forced < 0 ? this.lists.isHead(timer) : id === this.forced;
    if (this.ordered && !mayBeNext) return [];
    return this.leastFirst(this.order(timer, sleep), (firing) => this.fits(timer, firing, sleep));
  }

  private leastFirst<Way>(all: readonly Way[], fits: (way: Way) => boolean): Way[] {
    const found: { readonly way: Way; readonly shift: number }[] = [];
    for (const way of all) if (fits(way)) found.push({ way, shift: this.timeline.shift });
    if (all.length > 2) found.sort((a, b) => a.shift - b.shift);
    return found.map(({ way }) => way);
  }

  private order(timer: Timer, sleep: Sleep): readonly Firing[] {
    const { phase, lists, forced, running } = this;
    if (!this.ordered) return [NEXT];
    if (forced === timer.id || (sleep === 'same phase' && timer.delay === running?.delay)) return [SAME];
    const stale = lists.stale();
    const same = this.sameWith(timer, stale);
    if (sleep === 'same phase') return same;
    const next = this.nextWith(timer, stale, sleep);
    const isDue = phase >= 0 && lists.expiry(timer) <= this.timeline.timeOf(phase);
    return isDue ? [...same, ...next] : [...next, ...same];
  }

  private sameWith(timer: Timer, stale: readonly number[]): Firing[] {
    const others = stale.filter((delay) => delay !== timer.delay);
    if (others.length === 0 || this.phase < 0 || timer.delay === this.running?.delay) return [SAME];
    return visits(others, 1).map(([ahead = NOWHERE]) => ({ ...SAME, ahead }));
  }

  private nextWith(timer: Timer, stale: readonly number[], sleep: Sleep): Firing[] {
    if (stale.length === 0) return [NEXT];
    const firings = visits(stale, 3).map(([ending = NOWHERE, idle = NOWHERE, ahead = NOWHERE]) => ({
      ...{ where: 'next' as const, ending, idle, ahead },
    }));
    return firings.filter(
      ({ ending, idle, ahead }) =>
        (this.phase >= 0 || ending.length === 0) &&
        (sleep === 'asleep' || idle.length === 0) &&
        !ahead.includes(timer.delay),
    );
  }

  private fits(timer: Timer, firing: Firing, sleep: Sleep): boolean {
    if (!this.ordered) {
      this.timeline.begin();
      return true;
    }
    const list = this.lists.of(timer.delay) as List;
    const { phase, running } = this;
    const goesOn = firing.where === 'same' && running?.delay === timer.delay;
    return this.solve(
      (course) => this.isAwakeBy(timer, course, sleep, firing) && this.reach(timer, firing, course),
      (course, one) => {
        const place = course.placeOf(one);
        if (one === list || !place) return true;
        const first = (goesOn ? running : course.last) as Place;
        return course.isAfter(first, place, firing.where === 'same' ? phase : -1);
      },
    );
  }

  /** A loop that does not sleep passes its timers phase right behind the present turn. */
  private isAwakeBy(timer: Timer, course: Course, sleep: Sleep, { where }: Firing): boolean {
    if (sleep !== 'awake' || where === 'same') return true;
    const { timeline, alarm } = this;
    if (!course.isDue(timer, timeline.last)) return false;
    return alarm < 0 || course.isDue({ start: alarm, delay: 1 }, timeline.last);
  }

  /** What has to hold for a timer to fire in this way, but for what is said of the other lists. */
  private reach(timer: Timer, firing: Firing, course: Course): boolean {
    const { timeline, phase, running } = this;
    const list = this.lists.of(timer.delay) as List;
    const { where, ending, idle, ahead } = firing;
    if (where === 'same') {
      if (timer.id === this.forced) return true;
      if (phase < 0 || !running || timer.start >= phase || !course.isDue(timer, phase)) return false;
      if (timer.delay === running.delay) return true;
      if (!course.visit(ahead, phase)) return false;
      const { place } = list;
      return course.comes(place) && course.isDue(place, phase) && this.isNoLater(timer, place, ahead, course);
    }
    if (!this.end(ending, course) || !course.idle(idle, timeline.last)) return false;
    const place = course.placeOf(list) as Place;
    const alarm = course.alarm < 0 ? [] : [{ start: course.alarm, delay: 1 }];
    const future = [timer, place, ...alarm, { start: timeline.last, delay: 0 }];
    return course.visit(ahead, future) && course.comes(place) && this.isNoLater(timer, place, ahead, course);
  }

  /** The phase that is on ends with these visits. */
  private end(ending: readonly number[], course: Course): boolean {
    if (this.phase < 0) return true;
    if (!course.visit(ending, this.phase)) return false;
    course.close(this.phase);
    return true;
  }

  /** The phase comes no more than a pause behind the time at which the place of a list woke the loop up. */
  private isNoLater(timer: Timer, own: Place, ahead: readonly number[], course: Course): boolean {
    const { longestPause, lists } = this;
    if (longestPause === Number.POSITIVE_INFINITY) return true;
    const isStale = own.start !== timer.start;
    return lists.every(({ delay, place }) => {
      if (!isStale && !ahead.includes(delay)) return true;
      const { start } = delay === timer.delay ? own : place;
      return (
        start === timer.start ||
        course.isDue({ start: timer.start, delay: timer.delay - delay - longestPause }, start)
      );
    });
  }

  /**
   * Fires a timer in one of its {@link ways}, and tells how much later than at the earliest something must have happened
   * for that, ms. The moment at which it fires is the latest one then, but that a repeated one looks at the clock once more.
   */
  fire(id: number, firing: Firing, within: number, sleep: Sleep): number {
    const { timeline, lists } = this;
    const timer = lists.get(id);
    if (!timer || !this.fits(timer, firing, sleep)) throw new Error(`timer ${id} cannot fire`);
    const { shift } = timeline;
    timeline.commit();
    this.version += 1;
    const course = this.course(this.keeper());
    if (this.ordered) this.reach(timer, firing, course);
    const place = course.placeOf(lists.of(timer.delay) as List) as Place;
    if (firing.where === 'same') this.goOn(timer, place, within);
    else this.beginPhase(timer, place, course);
    this.move(course);
    lists.fire(timer);
    this.fired = timer;
    this.forced = -1;
    this.ticked = -1;
    if (timer.repeats) this.alarm = timeline.add(0, timeline.last, within);
    return shift;
  }

  private goOn({ delay }: Timer, place: Place, within: number): void {
    this.timeline.add(0, this.timeline.last, within);
    this.alarm = Math.max(this.alarm, this.ticked);
    if (delay !== this.running?.delay) this.running = place;
  }

  private beginPhase(timer: Timer, place: Place, { closed, alarm }: Course): void {
    const { timeline, lists } = this;
    const rung = this.ordered && alarm >= 0 ? timeline.timeOf(alarm) + 1 : 0;
    const expiry = Math.max(lists.expiry(timer), this.ordered ? lists.expiry(place) : 0);
    const moment = timeline.add(Math.max(expiry, rung));
    if (this.ordered) {
      timeline.keep(timer.start, moment, timer.delay);
      timeline.keep(place.start, moment, place.delay);
      if (alarm >= 0) timeline.keep(alarm, moment, 1);
    }
    this.closed = closed;
    this.phase = moment;
    this.running = place;
    this.alarm = moment;
  }

  /** The lists that were visited move; those of a phase to come, in the one that has begun. */
  private move({ visited }: Course): void {
    for (const { delay, phase } of visited) this.lists.visit(delay, phase < 0 ? this.phase : phase);
  }

  /**
   * How the loop may leave its timers phase now (`again`: and pass another one in which nothing fires; `asleep`: or may).
   * What presumes least comes first.
   */
  exits(again: boolean, asleep: boolean): Exit[] {
    this.lists.endTurn(this.phase);
    if (this.forced >= 0) return [];
    return this.leastFirst(this.exitsWith(again, asleep), (exit) => this.mayLeave(again, exit));
  }

  /** By how much something has to move for the loop to leave its timers phase; null where it cannot. */
  passing(again: boolean, asleep: boolean): number | null {
    this.lists.endTurn(this.phase);
    if (this.forced >= 0) return null;
    const all = this.exitsWith(again, asleep);
    let least: number | null = null;
    for (const exit of all) {
      if (!this.mayLeave(again, exit)) continue;
      least = Math.min(least ?? Number.POSITIVE_INFINITY, this.timeline.shift);
      if (least === 0 || all.length <= 2) return least;
    }
    return least;
  }

  private exitsWith(again: boolean, asleep: boolean): readonly Exit[] {
    if (this.isFree(again, asleep)) return [QUIET];
    const stale = this.lists.stale();
    const isOverlooking = again && this.alarm >= 0 && this.mayBeDue();
    if (stale.length === 0) return isOverlooking ? [QUIET, { ...QUIET, way: 'overlooked' }] : [QUIET];
    return visits(stale, 2).flatMap(([ending = NOWHERE, idle = NOWHERE]): Exit[] => {
      if (ending.length > 0 && this.phase < 0) return [];
      if (idle.length > 0) return again || asleep ? [{ way: 'idle', ending, idle }] : [];
      const quiet: Exit = { way: 'quiet', ending, idle };
      return isOverlooking ? [quiet, { ...quiet, way: 'overlooked' }] : [quiet];
    });
  }

  /** Something started before the alarm was set and is not so far away that it cannot be due. */
  private mayBeDue(): boolean {
    return this.oldestStart() <= this.alarm;
  }

  /** No timer can be due, whatever moves. */
  isFree(again: boolean, asleep: boolean): boolean {
    const { lists } = this;
    if (!this.ordered || lists.isEmpty) return true;
    return this.phase < 0 && !again && !(asleep && lists.stale().length > 0);
  }

  /** Whether it may leave in this way. The trial says what has to move for that. */
  private mayLeave(again: boolean, exit: Exit): boolean {
    if (!this.ordered) {
      this.timeline.begin();
      return true;
    }
    return this.solve(
      (course) => this.passBy(again, exit, course),
      (course, list) => {
        const place = course.placeOf(list);
        return !place || course.isBehind(place, course.closed);
      },
    );
  }

  /** What has to hold for it to leave in this way, but for what is said of the other lists. */
  private passBy(again: boolean, { way, ending, idle }: Exit, course: Course): boolean {
    const { timeline, alarm } = this;
    if (!this.end(ending, course) || !course.idle(idle, timeline.last)) return false;
    if (way === 'overlooked') return course.isDue({ start: timeline.last, delay: 0 }, alarm);
    if (again) course.close(timeline.last);
    return true;
  }

  /**
   * The loop leaves its timers phase in one of the ways that {@link exits} offered. Tells how much later than at the
   * earliest something must have happened for that, ms.
   */
  leave(again: boolean, exit: Exit): number {
    this.lists.endTurn(this.phase);
    if (!this.mayLeave(again, exit)) throw new Error('a timer is due');
    const { timeline } = this;
    const { shift } = timeline;
    timeline.commit();
    this.version += 1;
    const course = this.course(this.keeper());
    this.passBy(again, exit, course);
    this.closed = course.closed;
    this.alarm = course.alarm;
    this.phase = -1;
    this.move(course);
    return shift;
  }

  private course(demand: Demand): Course {
    return new Course(this.lists, demand, this.closed, this.alarm, this.phase < 0 ? null : this.running);
  }

  /** Keeps what is demanded: it holds already. */
  private keeper(): Demand {
    return (from, to, weight) => {
      this.timeline.keep(from, to, weight);
      return true;
    };
  }

  /**
   * Tries what has to hold of the step and of each list, with late answers of the host as explanation, then with pauses
   * of the CPU alone.
   */
  private solve(
    reach: (course: Course) => boolean,
    ofList: (course: Course, list: List) => boolean,
  ): boolean {
    this.timeline.begin();
    if (this.attempt(true, reach, ofList)) return true;
    if (!this.timeline.lifted) return false;
    this.timeline.begin();
    return this.attempt(false, reach, ofList);
  }

  private attempt(
    explain: boolean,
    reach: (course: Course) => boolean,
    ofList: (course: Course, list: List) => boolean,
  ): boolean {
    const { timeline, lists } = this;
    const course = this.course((from, to, weight, cause = -1) =>
      timeline.require(from, to, weight, explain ? cause : -1),
    );
    if (!reach(course)) return false;
    // Of the other lists only what does not hold anyway, until nothing moves any more.
    course.demand = (from, to, weight, cause = -1) =>
      timeline.at(to) >= timeline.at(from) + weight ||
      timeline.require(from, to, weight, explain ? cause : -1);
    let { changes } = timeline;
    do {
      changes = timeline.changes;
      if (!lists.every((list) => ofList(course, list))) return false;
    } while (timeline.changes !== changes);
    return true;
  }
}
