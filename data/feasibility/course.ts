/**
 * What Node would do with its lists of timers up to some step: which ones its phases visit, and what has to hold of
 * the moments for that. The lists themselves do not change.
 */
import type { Standing } from './standing.ts';
import { type List, type Place, precedence, type TimerLists } from './timer-lists.ts';

/**
 * Demands that `to` is at least `weight` after `from`; false where it cannot be. `cause`: what should rather move
 * than `to` alone.
 */
export type Demand = (from: number, to: number, weight: number, cause?: number) => boolean;

/** A moment to come, by the moments that it follows and by how much at least, ms. */
export type Future = readonly { readonly start: number; readonly delay: number }[];

export class Course {
  /** Lists that were visited, in that order, with the phase; -1: one to come. */
  readonly visited: { readonly delay: number; readonly phase: number }[] = [];
  /** All lists are behind this moment; -1: none. */
  closed: number;
  /** The moment behind which Node set its alarm last; -1: none. */
  alarm: number;
  /** The list that came last in the phase that is on. */
  last: Place | null;
  private readonly lists: TimerLists;
  /** How demands are met. */
  demand: Demand;
  /** The new places of visited lists; null: gone. */
  private readonly places = new Map<number, Place | null>();

  constructor(lists: TimerLists, demand: Demand, { closed, alarm, phase, running }: Standing) {
    this.lists = lists;
    this.demand = demand;
    this.closed = closed;
    this.alarm = alarm;
    this.last = phase < 0 ? null : running;
  }

  /** Where a list comes by now; null where it is gone. */
  placeOf({ delay, place }: List): Place | null {
    const moved = this.places.get(delay);
    return moved === undefined ? place : moved;
  }

  /** Lists with nothing due in them are visited in the phase of this moment, one after the other. */
  visit(delays: readonly number[], phase: number | Future): boolean {
    return delays.every((delay) => this.visitOne(delay, phase));
  }

  private visitOne(delay: number, phase: number | Future): boolean {
    const list = this.lists.of(delay) as List;
    const place = this.placeOf(list) as Place;
    if (!this.comes(place)) return false;
    const known = typeof phase === 'number';
    if (known && !this.isDue(place, phase)) return false;
    const [head] = list.timers;
    const beyond = known ? phase : -1;
    const own = head ? this.lists.placeOf(head, this.lists.nextStamp + this.visited.length, beyond) : null;
    this.places.set(delay, own);
    this.visited.push({ delay, phase: beyond });
    if (!own) return true;
    if (known) return this.isBehind(own, phase);
    return phase.every(({ start, delay: wait }) =>
      this.demand(start, own.start, wait + 1 - own.delay, own.cause),
    );
  }

  /** It is the turn of this list, in the phase that is on. */
  comes(place: Place): boolean {
    if (!this.isBehind(place, this.closed)) return false;
    if (this.last && !this.isAfter(this.last, place)) return false;
    this.last = place;
    return true;
  }

  /** The phase of this moment is over. */
  close(phase: number): void {
    this.closed = Math.max(this.closed, phase);
    this.last = null;
  }

  /** A phase in which nothing fires visits these lists. */
  idle(delays: readonly number[], phase: number): boolean {
    if (delays.length === 0) return true;
    if (this.alarm >= 0 && !this.demand(this.alarm, phase, 1)) return false;
    if (!this.visit(delays, phase)) return false;
    this.close(phase);
    this.alarm = phase;
    return true;
  }

  /** It expires by this moment. */
  isDue({ start, delay }: Pick<Place, 'start' | 'delay'>, moment: number): boolean {
    return this.demand(start, moment, delay);
  }

  /** It expires behind this moment, and behind the phase that gave it. */
  isBehind({ start, delay, cause, beyond }: Place, moment: number): boolean {
    const latest = Math.max(beyond, moment);
    return start > latest || this.demand(latest, start, 1 - delay, cause);
  }

  /** The second comes behind the first, in the phase that is on; what that has visited comes in another one. */
  isAfter(first: Place, second: Place, phase = -1): boolean {
    if (phase >= 0 && second.beyond === phase) return this.isBehind(second, phase);
    return this.demand(first.start, second.start, precedence(first, second), second.cause);
  }
}
