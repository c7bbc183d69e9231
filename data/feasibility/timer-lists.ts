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
export interface Place {
  readonly start: number;
  readonly delay: number;
  readonly cause: number;
  /** Of two lists that expire together the one comes first that was made, or visited, earlier. */
  readonly stamp: number;
  /** The moment of the phase that gave it, at which it was not due; -1 where a timer gave it that began the list. */
  readonly beyond: number;
}

export interface List {
  readonly delay: number;
  /** In the order in which they were added: that of their starts, but for repeated ones. May be empty. */
  readonly timers: Timer[];
  /**
   * Given when the list is made or a phase finds its first timer not due. It keeps it until then, even if the timer
   * that gave it is put off or taken back. Only a list that became empty by a timer that held the process alive goes.
   */
  place: Place;
}

/** How much later than the first a second place's timer must start at least for it to come behind, ms. */
export const precedence = (first: Place, second: Place): number =>
  first.delay - second.delay + (first.stamp < second.stamp ? 0 : 1);

export class TimerLists {
  private readonly timeline: Timeline;
  private readonly byId = new Map<number, Timer>();
  private readonly byDelay = new Map<number, List>();
  /** The stamp of the next list that is made or visited. */
  nextStamp = 0;
  /** The delay of the timer that fired last, until Node looks at its list again; else -1. */
  private fired = -1;

  constructor(timeline: Timeline) {
    this.timeline = timeline;
  }

  /** The same lists on a copy of their timeline. */
  copy(timeline: Timeline): TimerLists {
    const copy = new TimerLists(timeline);
    for (const [id, timer] of this.byId) copy.byId.set(id, timer);
    for (const [delay, list] of this.byDelay) copy.byDelay.set(delay, { ...list, timers: [...list.timers] });
    copy.nextStamp = this.nextStamp;
    copy.fired = this.fired;
    return copy;
  }

  get size(): number {
    return this.byId.size;
  }

  /** No phase has anything to do. */
  get isEmpty(): boolean {
    return this.byDelay.size === 0;
  }

  get(id: number): Timer | undefined {
    return this.byId.get(id);
  }

  all(): Iterable<Timer> {
    return this.byId.values();
  }

  of(delay: number): List | undefined {
    return this.byDelay.get(delay);
  }

  /** A timer behind the others of its delay. */
  add(timer: Timer): void {
    const { delay } = timer;
    this.byId.set(timer.id, timer);
    const list = this.byDelay.get(delay);
    if (list) list.timers.push(timer);
    else
      this.byDelay.set(delay, { delay, timers: [timer], place: this.placeOf(timer, this.nextStamp++, -1) });
  }

  /** It is taken back; `putOff`: to be started anew in the same moment. Returns whether its list goes with it. */
  cancel(timer: Timer, putOff: boolean): boolean {
    const goes = this.remove(timer).timers.length === 0 && timer.ref && !putOff;
    if (goes) this.drop(timer.delay);
    return goes;
  }

  /** It fires. */
  fire(timer: Timer): void {
    this.remove(timer);
    this.fired = timer.delay;
  }

  /** The timer that fires is taken back in its own callback: its list goes if nothing else is in it. */
  cancelFired(ref: boolean): void {
    if (ref && this.byDelay.get(this.fired)?.timers.length === 0) this.drop(this.fired);
  }

  private drop(delay: number): void {
    this.byDelay.delete(delay);
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
    const list = this.byDelay.get(delay) as List;
    const [head] = list.timers;
    if (head) list.place = this.placeOf(head, this.nextStamp++, phase);
    else this.byDelay.delete(delay);
  }

  placeOf({ start, delay, cause }: Timer, stamp: number, beyond: number): Place {
    return { start, delay, cause, stamp, beyond };
  }

  private remove(timer: Timer): List {
    this.byId.delete(timer.id);
    const list = this.byDelay.get(timer.delay) as List;
    list.timers.splice(list.timers.indexOf(timer), 1);
    return list;
  }

  isHead(timer: Timer): boolean {
    return this.byDelay.get(timer.delay)?.timers[0] === timer;
  }

  /** Whether something holds of every list. */
  every(holds: (list: List) => boolean): boolean {
    for (const list of this.byDelay.values()) if (!holds(list)) return false;
    return true;
  }

  /** The heads of the lists in the order in which they expire. */
  inOrder(): Timer[] {
    const heads: Timer[] = [];
    for (const { timers } of this.byDelay.values()) if (timers[0]) heads.push(timers[0]);
    return heads.sort((a, b) => this.expiry(a) - this.expiry(b) || this.stampOf(a) - this.stampOf(b));
  }

  private stampOf({ delay }: Timer): number {
    return (this.byDelay.get(delay) as List).place.stamp;
  }

  /** When it is due, ms. */
  expiry({ start, delay }: Pick<Timer, 'start' | 'delay'>): number {
    return this.timeline.timeOf(start) + delay;
  }

  /** The delays of the lists whose places are no longer those of their first timers, where they may be reached soon. */
  stale(): number[] {
    const found: number[] = [];
    for (const { delay, timers, place } of this.byDelay.values())
      if (timers[0]?.start !== place.start && this.isNear(place) && delay !== this.fired) found.push(delay);
    return found;
  }

  /** The earliest moment at which a pending timer started that may be due soon; infinite where there is none. */
  oldestStart(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const { timers, place } of this.byDelay.values())
      for (const { start } of [place, ...timers.slice(0, 1)].filter((one) => this.isNear(one)))
        oldest = Math.min(oldest, start);
    return oldest;
  }

  /** The moments at which timers started that may be due soon, and those of the places of their lists. */
  starts(): number[] {
    const found: number[] = [];
    for (const { timers, place } of this.byDelay.values())
      for (const one of [place, ...timers]) if (this.isNear(one)) found.push(one.start);
    return found;
  }

  private isNear(one: Pick<Timer, 'start' | 'delay'>): boolean {
    const { now, farthest } = this.timeline;
    return this.expiry(one) - now <= farthest;
  }

  /** What of the places tells two copies of the same lists apart. */
  key(): string {
    const places = [...this.byDelay.values()].map(({ place }) => place).sort((a, b) => a.stamp - b.stamp);
    return places.map(({ start, delay }) => `${delay}@${start}`).join();
  }
}
