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

import {
  type Exit,
  exitsWith,
  type Firing,
  NEXT,
  nextWith,
  QUIET,
  SAME,
  type Sleep,
  sameWith,
} from './alternatives.ts';
import type { Blocked } from './blocked.ts';
import { Demands } from './demands.ts';
import { DominanceProfile } from './dominance-profile.ts';
import type { Timeline } from './timeline.ts';
import type { List, Timer, TimerLists, TimerPlace } from './timer-lists.ts';
import type { TimerPhasePlan } from './timer-phase-plan.ts';
import { TimerPhaseState } from './timer-phase-state.ts';

/** A timer that may fire next, and what that presumes. */
export interface FiringTimer {
  readonly id: number;
  /** When it would fire. */
  readonly at: number;
  /** How much later than at the earliest something must have happened, ms. */
  readonly pause: number;
}

/** Where the first timer of a list is taken back in a tick of the one before: whether it was due. */
export type Taking = 'waits' | 'due';

/** How a timer is started. */
export interface StartedTimer {
  readonly ref: boolean;
  readonly cause: number;
  /** In a tick or a microtask, before which Node has looked at the list of the timer whose turn it is. */
  readonly ticking: boolean;
  readonly repeats: boolean;
  /** Where it is not the latest moment: it is started anew behind its callback, with the time before that; else -1. */
  readonly since: number;
}

/** So many timers are looked at, those due first, unless none of them may fire; more would only matter to a very long pause. */
const MOST_CANDIDATES = 12;

const NONE: readonly FiringTimer[] = [];
const NOWAY: readonly Firing[] = [];
const ONLY_NEXT: readonly Firing[] = [NEXT];
const ONLY_SAME: readonly Firing[] = [SAME];
const NEXT_FIRST: readonly Firing[] = [NEXT, SAME];
const SAME_FIRST: readonly Firing[] = [SAME, NEXT];

function isAmong(candidates: readonly FiringTimer[], id: number): boolean {
  for (const one of candidates) if (one.id === id) return true;
  return false;
}

export class Timers {
  private readonly timeline: Timeline;
  private readonly ordered: boolean;
  private readonly longestPause: number;
  private readonly blocked: Blocked;
  private readonly lists: TimerLists;
  private readonly standing: TimerPhaseState;
  private readonly demands: Demands;
  /** Grows with every change that may change the candidates. */
  version = 0;

  /** `ordered` false: any pending timer may fire at any time; `longestPause`: so late the loop may wake up, ms. */
  constructor(
    timeline: Timeline,
    ordered: boolean,
    longestPause: number,
    blocked: Blocked,
    lists: TimerLists,
    standing = new TimerPhaseState(),
  ) {
    this.timeline = timeline;
    this.longestPause = longestPause;
    this.blocked = blocked;
    this.ordered = ordered;
    this.lists = lists;
    this.standing = standing;
    this.demands = new Demands(timeline, lists, standing, longestPause, blocked);
  }

  /** The same timers on a copy of their timeline. */
  copy(timeline: Timeline): Timers {
    const { ordered, longestPause, blocked, lists, standing } = this;
    const copy = new Timers(timeline, ordered, longestPause, blocked, lists.copy(timeline), standing.copy());
    copy.version = this.version;
    return copy;
  }

  get size(): number {
    return this.lists.pending.size;
  }

  /** Where the loop and the lists are; equal for hypotheses that differ in times alone. */
  where(): string {
    return `${this.standing.key()} ${this.lists.key()}`;
  }

  profile(): DominanceProfile {
    return new DominanceProfile(this.timeline, this.where(), this.loose());
  }

  /** So many moments are looked at, at most, to tell the profile. */
  outlookCost(): number {
    const moments = this.loose();
    return moments.length * (this.timeline.last - Math.min(...moments));
  }

  /** The moments on which what comes next may depend. */
  private loose(): number[] {
    return [...new Set([this.timeline.last, ...this.standing.moments(), ...this.lists.starts()])];
  }

  /** The earliest moment at which a pending timer started that may be due soon; infinite where there is none. */
  oldestStart(): number {
    return this.lists.oldestStart();
  }

  /** A phase in which nothing fires may matter: what comes next needs a moment before it at which that may have been. */
  get isStale(): boolean {
    this.look();
    return this.ordered && this.lists.isStale(this.timeline.now);
  }

  /** Node looks at the list of the timer that fired last, if it has not yet. */
  private look(): void {
    this.lists.endTurn(this.standing.phase);
  }

  /** A timer is about to be pending. */
  start(timer: Timer, ticking: boolean, again: boolean): void {
    const { standing, lists } = this;
    this.version += 1;
    if (ticking) this.look();
    lists.add(timer);
    if (timer.delay === standing.seized) standing.forced = timer.id;
    standing.seized = -1;
    if (standing.phase < 0 || again) return;
    if (ticking) standing.ticked = timer.start;
    else standing.alarm = timer.start;
  }

  /** What Node may have found in the list of a timer that is taken back. */
  takings(id: number, ticking: boolean): Taking[] {
    if (ticking) this.look();
    const timer = this.lists.pending.get(id);
    if (!timer || !this.isInDoubt(timer, ticking)) return ['waits'];
    return (['waits', 'due'] as const).filter((taking) => this.demands.mayBe(timer, taking === 'due'));
  }

  /** Nobody knows whether Node found it due before the ticks: it is the next of the list that runs. */
  private isInDoubt(timer: Timer, ticking: boolean): boolean {
    const { standing, lists, ordered } = this;
    if (!ordered || !ticking || !standing.isRunning(timer.delay)) return false;
    return lists.isHead(timer) && timer.start < standing.phase;
  }

  /** A timer is taken back; `restarts`: to be started anew in the same moment. */
  cancel(id: number, restarts: boolean, ticking: boolean, taking: Taking): void {
    const { timeline, lists, standing, demands } = this;
    if (ticking) this.look();
    const timer = lists.pending.get(id);
    if (!timer) {
      if (standing.fired?.id === id) lists.cancelFired(standing.fired.ref);
      return;
    }
    this.version += 1;
    const list = lists.of(timer.delay) as List;
    const isAwaited = lists.awaitsLook(list);
    const isInDoubt = this.isInDoubt(timer, ticking);
    const wasDue = isInDoubt && taking === 'due';
    if (isInDoubt && demands.mayBe(timer, wasDue)) timeline.commit();
    const goes = lists.cancel(timer, restarts);
    const isForced = id === standing.forced;
    if (isForced) standing.forced = -1;
    if (restarts && (wasDue || isForced)) standing.seized = timer.delay;
    if (wasDue) {
      timeline.keep(timer.start, standing.phase, timer.delay);
      if (!goes) lists.again(timer.delay);
    } else if (goes && this.ordered && !isAwaited) demands.keepWaiting(list);
  }

  /** A pending timer, or the one that fires. */
  find(id: number): Timer | undefined {
    const { fired } = this.standing;
    return this.lists.pending.get(id) ?? (fired?.id === id ? fired : undefined);
  }

  /** Those whose time is over. */
  overdueAt(at: number): Timer[] {
    const { lists } = this;
    return [...lists.pending.all()].filter((timer) => lists.expiry(timer) < at);
  }

  /** By how much one of them would be late at a time to come, at most, ms, if nothing waited within a turn. */
  overdue(at: number): number {
    const { blocked, lists, timeline } = this;
    let most = Number.NEGATIVE_INFINITY;
    for (const timer of lists.pending.all())
      most = Math.max(most, at - lists.expiry(timer) - blocked.postponed(timeline, timer.start, timer.delay));
    return most;
  }

  /** The loop has slept until the latest moment, which keeps no timer waiting for more than a pause. */
  keepSlept(): void {
    for (const timer of this.lists.pending.all()) this.keepWoken(timer);
  }

  /** The loop, which was asleep, has woken up no more than a pause behind this timer; unless something else kept it. */
  private keepWoken({ start, delay }: Timer): void {
    const { timeline, longestPause, blocked } = this;
    if (longestPause === Number.POSITIVE_INFINITY) return;
    const latest = -(delay + longestPause + blocked.postponed(timeline, start, delay));
    if (timeline.timeOf(start) >= timeline.now + latest) timeline.keep(timeline.last, start, latest);
  }

  /** True where a pending timer keeps the process alive. */
  get anyRef(): boolean {
    for (const timer of this.lists.pending.all()) if (timer.ref) return true;
    return false;
  }

  /** Whether the times, which something else has moved, still explain that what is pending is still pending. */
  isSound(): boolean {
    if (!this.ordered || this.lists.isEmpty) return true;
    this.look();
    const isSound = this.demands.mayWait();
    if (isSound) this.timeline.commit();
    return isSound;
  }

  /** The timers that may fire next. `known`: of some it is known that they may, so that they need not be told. */
  candidates(sleep: Sleep, known: readonly FiringTimer[]): readonly FiringTimer[] {
    if (this.size === 0) return NONE;
    this.look();
    const found: FiringTimer[] = [];
    const all = this.foremost();
    const isFew = all.length <= MOST_CANDIDATES;
    for (let nth = 0; nth < all.length; nth++) {
      const timer = all[nth] as Timer;
      if (this.ordered && nth >= MOST_CANDIDATES && found.length > 0) break;
      if (isFew && isAmong(known, timer.id)) continue;
      const firing = this.plan(timer, sleep);
      if (firing) found.push(this.candidate(timer, firing));
    }
    return found;
  }

  /** The first of each list. */
  private foremost(): readonly Timer[] {
    if (!this.ordered) return [...this.lists.pending.all()];
    const forced = this.lists.pending.get(this.standing.forced);
    return forced ? [forced] : this.lists.inOrder();
  }

  /** Reads off the present trial what firing this timer presumes. */
  private candidate(timer: Timer, { where, idle }: Firing): FiringTimer {
    const { timeline, standing } = this;
    const due = standing.forced === timer.id ? 0 : timeline.at(timer.start) + timer.delay;
    const set = idle.length > 0 ? timeline.last : standing.alarm;
    const rung = where === 'next' && this.ordered && set >= 0 ? timeline.at(set) + 1 : 0;
    return { id: timer.id, at: Math.max(timeline.at(timeline.last), due, rung), pause: timeline.shift };
  }

  /** Whether and how a timer may fire next, at the least cost. The trial says what has to move for that. */
  private plan(timer: Timer, sleep: Sleep): Firing | null {
    const all = this.firings(timer, sleep);
    const best = this.least(all, (firing) => this.mayFire(timer, firing, sleep));
    if (best && !best.isTried) this.mayFire(timer, best.way, sleep);
    return best?.way ?? null;
  }

  /** How a timer may fire next; what presumes least comes first. */
  ways(id: number, sleep: Sleep): readonly Firing[] {
    const timer = this.lists.pending.get(id);
    if (!timer) return NOWAY;
    this.look();
    const { forced } = this.standing;
    if (this.ordered && !(forced < 0 ? this.lists.isHead(timer) : id === forced)) return NOWAY;
    return this.leastFirst(this.firings(timer, sleep), (firing) => this.mayFire(timer, firing, sleep));
  }

  private firings(timer: Timer, sleep: Sleep): readonly Firing[] {
    const { lists, ordered, timeline } = this;
    const { phase, forced } = this.standing;
    const { delay } = timer;
    if (!ordered) return ONLY_NEXT;
    if (forced === timer.id) return ONLY_SAME;
    const due = lists.expiry(timer);
    if (!lists.isStale(due)) return this.plainFirings(timer, sleep);
    const all = lists.stale(due);
    const woken = sleep === 'asleep' ? all.filter((other) => this.isLongBefore(other, due)) : [];
    const stale = all.filter((other) => !woken.includes(other));
    const same = this.standing.isRunning(delay) || phase < 0 ? [SAME] : sameWith(delay, stale);
    if (sleep === 'same phase') return same;
    const next = nextWith(delay, stale, woken, phase >= 0, sleep === 'asleep');
    const isDue = phase >= 0 && lists.expiry(timer) <= timeline.timeOf(phase);
    return isDue ? [...same, ...next] : [...next, ...same];
  }

  /** The loop does not oversleep the place of this list until then. */
  private isLongBefore(delay: number, time: number): boolean {
    const { lists, blocked, timeline, longestPause } = this;
    const { place } = lists.of(delay) as List;
    return lists.expiry(place) + longestPause + blocked.postponed(timeline, place.start, delay) < time;
  }

  /** Where no list has lost its place: in this phase or in another one, the likelier first. */
  private plainFirings(timer: Timer, sleep: Sleep): readonly Firing[] {
    const { phase } = this.standing;
    if (sleep === 'same phase') return ONLY_SAME;
    if (phase < 0) return ONLY_NEXT;
    return this.lists.expiry(timer) <= this.timeline.timeOf(phase) ? SAME_FIRST : NEXT_FIRST;
  }

  private mayFire(timer: Timer, firing: Firing, sleep: Sleep): boolean {
    if (this.ordered) return this.demands.mayFire(timer, firing, sleep);
    this.timeline.begin();
    return true;
  }

  /** Of two ways the first that is possible; of more the one that presumes least. `isTried`: in the present trial. */
  private least<Way>(
    all: readonly Way[],
    may: (way: Way) => boolean,
  ): { readonly way: Way; readonly shift: number; readonly isTried: boolean } | null {
    let best: { readonly way: Way; readonly shift: number } | null = null;
    for (const way of all) {
      if (!may(way)) continue;
      const { shift } = this.timeline;
      if (shift === 0 || all.length <= 2) return { way, shift, isTried: true };
      if (!best || shift < best.shift) best = { way, shift };
    }
    return best && { ...best, isTried: false };
  }

  private leastFirst<Way>(all: readonly Way[], may: (way: Way) => boolean): readonly Way[] {
    if (all.length <= 2) return all.filter(may);
    const found: { readonly way: Way; readonly shift: number }[] = [];
    for (const way of all) if (may(way)) found.push({ way, shift: this.timeline.shift });
    return found.sort((a, b) => a.shift - b.shift).map(({ way }) => way);
  }

  /**
   * Fires a timer in one of its {@link ways}, and tells how much later than at the earliest something must have happened
   * for that, ms. The moment at which it fires is the latest one then, but that a repeated one looks at the clock once more.
   */
  fire(id: number, firing: Firing, within: number, sleep: Sleep): number {
    const { timeline, lists, standing } = this;
    const timer = lists.pending.get(id);
    if (!timer || !this.mayFire(timer, firing, sleep)) throw new Error(`timer ${id} cannot fire`);
    const { shift } = timeline;
    timeline.commit();
    this.version += 1;
    if (!this.ordered) timeline.add(lists.expiry(timer));
    else if (firing.where === 'same') this.goOn(timer, this.demands.keepFire(timer, firing), within);
    else this.beginPhase(timer, this.demands.keepFire(timer, firing));
    lists.fire(timer);
    standing.fired = timer;
    standing.forced = -1;
    standing.ticked = -1;
    if (timer.repeats) standing.alarm = timeline.add(0, timeline.last, within);
    return shift;
  }

  private goOn({ delay }: Timer, plan: TimerPhasePlan, within: number): void {
    const { timeline, standing } = this;
    timeline.add(0, timeline.last, within);
    standing.alarm = Math.max(standing.alarm, standing.ticked);
    if (!standing.isRunning(delay)) standing.running = (this.lists.of(delay) as List).place;
    this.move(plan);
  }

  private beginPhase(timer: Timer, plan: TimerPhasePlan): void {
    const { timeline, lists, standing } = this;
    const { closed, alarm } = plan;
    const place = plan.placeOf(lists.of(timer.delay) as List) as TimerPlace;
    const rung = alarm >= 0 ? timeline.timeOf(alarm) + 1 : 0;
    const moment = timeline.add(Math.max(lists.expiry(timer), lists.expiry(place), rung));
    timeline.keep(timer.start, moment, timer.delay);
    timeline.keep(place.start, moment, place.delay);
    if (alarm >= 0) timeline.keep(alarm, moment, 1);
    // What is due only later fires in this phase as far as the loop may have been late for what began it.
    this.keepWoken(timer);
    standing.closed = closed;
    standing.phase = moment;
    standing.running = place;
    standing.alarm = moment;
    this.move(plan);
  }

  /** The lists that were visited move; those of a phase to come, in the one that has begun. */
  private move({ visited }: TimerPhasePlan): void {
    for (const { delay, phase } of visited) this.lists.visit(delay, phase < 0 ? this.standing.phase : phase);
  }

  /**
   * How the loop may leave its timers phase now (`again`: and pass another one in which nothing fires; `asleep`: or may).
   * What presumes least comes first.
   */
  exits(again: boolean, asleep: boolean): readonly Exit[] {
    return this.leastFirst(this.allExits(again, asleep), (exit) => this.mayLeave(again, exit));
  }

  /** By how much something has to move for the loop to leave its timers phase; null where it cannot. */
  passing(again: boolean, asleep: boolean): number | null {
    const best = this.least(this.allExits(again, asleep), (exit) => this.mayLeave(again, exit));
    return best?.shift ?? null;
  }

  private allExits(again: boolean, asleep: boolean): readonly Exit[] {
    this.look();
    const { phase, alarm, forced } = this.standing;
    if (forced >= 0) return [];
    if (this.isFree(again, asleep)) return [QUIET];
    // Something started before the alarm was set and is not so far away that it cannot be due.
    const overlooks = again && alarm >= 0 && this.oldestStart() <= alarm;
    return exitsWith(this.lists.stale(this.timeline.now), phase >= 0, again || asleep, overlooks);
  }

  /** No timer can be due, whatever moves. */
  isFree(again: boolean, asleep: boolean): boolean {
    const { lists } = this;
    if (!this.ordered || lists.isEmpty) return true;
    return this.standing.phase < 0 && !again && !(asleep && lists.isStale(this.timeline.now));
  }

  private mayLeave(again: boolean, exit: Exit): boolean {
    if (this.ordered) return this.demands.mayLeave(again, exit);
    this.timeline.begin();
    return true;
  }

  /**
   * The loop leaves its timers phase in one of the ways that {@link exits} offered. Tells how much later than at the
   * earliest something must have happened for that, ms.
   */
  leave(again: boolean, exit: Exit): number {
    const { timeline, standing } = this;
    this.look();
    if (!this.mayLeave(again, exit)) throw new Error('a timer is due');
    const { shift } = timeline;
    timeline.commit();
    this.version += 1;
    const plan = this.demands.keepLeave(again, exit);
    standing.closed = plan.closed;
    standing.phase = -1;
    standing.alarm = plan.alarm;
    this.move(plan);
    return shift;
  }
}
