/** Node's lists of pending timers (lib/internal/timers.js): one per delay, and the places at which they come in a phase. */
import type { Timeline } from './timeline.ts';

export interface Timer {
  readonly id: number;
  readonly delay: number;
  /** The moment of its start. */
  readonly start: number;
  /** The delivery of a host request in whose turn it started; -1 for other turns. */
  readonly cause: number;
  /** Node starts it anew behind its callback, with the time before that. */
  readonly repeats: boolean;
  ref: boolean;
}

/** Where a list comes in Node's queue: by when a timer of this start and delay expires, then by the stamp. */
export interface TimerPlace {
  readonly start: number;
  readonly delay: number;
  readonly cause: number;
  /** Of two lists that expire together the one comes first that was made, or visited, earlier. */
  readonly stamp: number;
  /** The moment of the phase that gave it, at which it was not due; -1 where a timer gave it that began the list. */
  readonly beyond: number;
}

/** Never changes: another one takes its place. */
export interface List {
  readonly delay: number;
  /** In the order in which they were added: that of their starts, but for repeated ones. May be empty. */
  readonly timers: readonly Timer[];
  /**
   * Given when the list is made or a phase finds its first timer not due. It keeps it until then, even if the timer
   * that gave it is put off or taken back. Only a list that became empty by a timer that held the process alive goes.
   */
  readonly place: TimerPlace;
}

/** How much later than the first a second place's timer must start at least for it to come behind, ms. */
export const precedence = (first: TimerPlace, second: TimerPlace): number =>
  first.delay - second.delay + (first.stamp < second.stamp ? 0 : 1);

/** What is pending, and how it was started: the same in all hypotheses of a run. */
export class PendingTimers {
  private readonly byId = new Map<number, Timer>();
  private readonly byDelay = new Map<number, Timer[]>();

  get size(): number {
    return this.byId.size;
  }

  get(id: number): Timer | undefined {
    return this.byId.get(id);
  }

  all(): Iterable<Timer> {
    return this.byId.values();
  }

  /** Those of equal delay, also as they change. */
  of(delay: number): Timer[] {
    let timers = this.byDelay.get(delay);
    if (!timers) this.byDelay.set(delay, (timers = []));
    return timers;
  }

  /** A timer behind the others of its delay; all lists know of it already. */
  add(timer: Timer): void {
    this.byId.set(timer.id, timer);
    this.of(timer.delay).push(timer);
  }

  /** It has fired, or was taken back, in all lists. */
  remove(timer: Timer): void {
    this.byId.delete(timer.id);
    const timers = this.of(timer.delay);
    timers.splice(timers.indexOf(timer), 1);
  }
}

const NONE: readonly number[] = [];

export class TimerLists {
  readonly pending: PendingTimers;
  private readonly timeline: Timeline;
  /** In the order in which they were made. */
  private readonly lists: List[];
  /** The stamp of the next list that is made or visited. */
  nextStamp = 0;
  /** The delay of the timer that fired last, until Node looks at its list again; else -1. */
  private fired = -1;

  constructor(timeline: Timeline, pending: PendingTimers, lists: List[] = []) {
    this.timeline = timeline;
    this.pending = pending;
    this.lists = lists;
  }

  /** The same lists on a copy of their timeline. */
  copy(timeline: Timeline): TimerLists {
    const copy = new TimerLists(timeline, this.pending, this.lists.slice());
    copy.nextStamp = this.nextStamp;
    copy.fired = this.fired;
    return copy;
  }

  /** No phase has anything to do. */
  get isEmpty(): boolean {
    return this.lists.length === 0;
  }

  /** All lists, in the order in which they were made. */
  get all(): readonly List[] {
    return this.lists;
  }

  private indexOf(delay: number): number {
    const { lists } = this;
    let at = lists.length - 1;
    while (at >= 0 && lists[at]!.delay !== delay) at -= 1;
    return at;
  }

  of(delay: number): List | undefined {
    return this.lists[this.indexOf(delay)];
  }

  /** A timer is about to stand behind the others of its delay. */
  add(timer: Timer): void {
    const { delay } = timer;
    if (this.indexOf(delay) >= 0) return;
    const place = this.placeOf(timer, this.nextStamp++, -1);
    this.lists.push({ delay, timers: this.pending.of(delay), place });
  }

  /** It is about to be taken back; `restarts`: to be started anew in the same moment. Returns whether its list goes with it. */
  cancel({ delay, ref }: Timer, restarts: boolean): boolean {
    const goes = ref && !restarts && this.of(delay)!.timers.length === 1;
    if (goes) this.drop(delay);
    return goes;
  }

  /** It fires. */
  fire({ delay }: Timer): void {
    this.fired = delay;
  }

  /** The timer that fires is taken back in its own callback: its list goes if nothing else is in it. */
  cancelFired(ref: boolean): void {
    if (ref && this.of(this.fired)?.timers.length === 0) this.drop(this.fired);
  }

  private drop(delay: number): void {
    this.lists.splice(this.indexOf(delay), 1);
    if (this.fired === delay) this.fired = -1;
  }

  /** A timer of this list fired last, and Node has not looked at it again. */
  awaitsLook({ delay }: List): boolean {
    return delay === this.fired;
  }

  /** Node looks at the list of the timer that fired last, in the phase of that moment: it waits for its next timer. */
  endTurn(phase: number): void {
    if (this.fired >= 0) this.visit(this.fired, phase);
    this.fired = -1;
  }

  /** The same once more: what Node found in the list was due then, and has been taken back. */
  again(delay: number): void {
    this.fired = delay;
  }

  /** A phase finds nothing due in a list. */
  visit(delay: number, phase: number): void {
    const { lists } = this;
    const at = this.indexOf(delay);
    const { timers } = lists[at] as List;
    const [head] = timers;
    if (head) lists[at] = { delay, timers, place: this.placeOf(head, this.nextStamp++, phase) };
    else lists.splice(at, 1);
  }

  placeOf({ start, delay, cause }: Timer, stamp: number, beyond: number): TimerPlace {
    return { start, delay, cause, stamp, beyond };
  }

  isHead(timer: Timer): boolean {
    return this.of(timer.delay)?.timers[0] === timer;
  }

  /** The heads of the lists in the order in which they expire. */
  inOrder(): Timer[] {
    const heads: Timer[] = [];
    for (const { timers } of this.lists) if (timers[0]) heads.push(timers[0]);
    if (heads.length === 1) return heads;
    return heads.sort((a, b) => this.expiry(a) - this.expiry(b) || this.stampOf(a) - this.stampOf(b));
  }

  private stampOf({ delay }: Timer): number {
    return (this.of(delay) as List).place.stamp;
  }

  /** When it is due, ms. */
  expiry({ start, delay }: Pick<Timer, 'start' | 'delay'>): number {
    return this.timeline.timeOf(start) + delay;
  }

  /** The delays of the lists whose places are no longer those of their first timers, where they may be reached by `time`, or soon. */
  stale(time: number): readonly number[] {
    if (!this.isStale(time)) return NONE;
    const found: number[] = [];
    for (const list of this.lists) if (this.hasLostItsPlace(list, time)) found.push(list.delay);
    return found;
  }

  /** There are such. */
  isStale(time: number): boolean {
    for (const list of this.lists) if (this.hasLostItsPlace(list, time)) return true;
    return false;
  }

  private hasLostItsPlace({ delay, timers, place }: List, time: number): boolean {
    if (timers[0]?.start === place.start || delay === this.fired) return false;
    return this.isNear(place) || this.expiry(place) <= time;
  }

  /** The earliest moment at which a pending timer started that may be due soon; infinite where there is none. */
  oldestStart(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { timers, place } of this.lists) {
      const [head] = timers;
      if (place.start < oldest && this.isNear(place)) oldest = place.start;
      if (head && head.start < oldest && this.isNear(head)) oldest = head.start;
    }
    return oldest;
  }

  /** The moments at which timers started that may be due soon, and those of the places of their lists. */
  starts(): number[] {
    const found: number[] = [];
    for (const { timers, place } of this.lists)
      for (const one of [place, ...timers]) if (this.isNear(one)) found.push(one.start);
    return found;
  }

  private isNear(one: Pick<Timer, 'start' | 'delay'>): boolean {
    const { now, farthest } = this.timeline;
    return this.expiry(one) - now <= farthest;
  }

  /** What of the places tells two copies of the same lists apart. */
  key(): string {
    const places = this.lists.map(({ place }) => place).sort((a, b) => a.stamp - b.stamp);
    return places.map(({ start, delay }) => `${delay}@${start}`).join();
  }
}
