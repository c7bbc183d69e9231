/**
 * What Node would do with its lists of timers up to some step: which ones its phases visit, and what has to hold of
 * the moments for that. The lists themselves do not change.
 */

import type { Timeline } from './timeline.ts';
import { type List, precedence, type TimerLists, type TimerPlace } from './timer-lists.ts';
import type { TimerPhaseState } from './timer-phase-state.ts';

/**
 * What becomes of what has to hold: `claim` it in the present trial of the timeline; or so only where it does `not yet`
 * hold; or `keep` it for ever, since it holds.
 */
export type Purpose = 'claim' | 'not yet' | 'keep';

/** A moment to come, by the moments that it follows and by how much at least, ms. */
export type Future = readonly { readonly start: number; readonly delay: number }[];

/** Used again and again: see {@link TimerPhasePlan.begin}. */
export class TimerPhasePlan {
  /** Lists that were visited, in that order, with the phase; -1: one to come. */
  readonly visited: { readonly delay: number; readonly phase: number }[] = [];
  /** All lists are behind this moment; -1: none. */
  closed = -1;
  /** The moment behind which Node set its alarm last; -1: none. */
  alarm = -1;
  /** The list that came last in the phase that is on. */
  last: TimerPlace | null = null;
  purpose: Purpose = 'claim';
  private readonly lists: TimerLists;
  private readonly timeline: Timeline;
  /** Late answers of the host are tried as explanation. */
  private explains = false;
  /** The new places of visited lists; null: gone. */
  private readonly places = new Map<number, TimerPlace | null>();

  constructor(lists: TimerLists, timeline: Timeline) {
    this.lists = lists;
    this.timeline = timeline;
  }

  /** A plan from where the loop stands. */
  begin({ closed, alarm, phase, running }: TimerPhaseState, purpose: Purpose, explains: boolean): void {
    this.closed = closed;
    this.alarm = alarm;
    this.last = phase < 0 ? null : running;
    this.purpose = purpose;
    this.explains = explains;
    if (this.visited.length === 0) return;
    this.visited.length = 0;
    this.places.clear();
  }

  /**
   * Demands that `to` is at least `weight` after `from`; false where it cannot be. `cause`: what should rather move
   * than `to` alone.
   */
  private demand(from: number, to: number, weight: number, cause = -1): boolean {
    const { timeline, purpose } = this;
    if (purpose === 'keep') {
      timeline.keep(from, to, weight);
      return true;
    }
    if (purpose === 'not yet' && timeline.at(to) >= timeline.at(from) + weight) return true;
    return timeline.require(from, to, weight, this.explains ? cause : -1);
  }

  /** Where a list comes by now; null where it is gone. */
  placeOf({ delay, place }: List): TimerPlace | null {
    if (this.visited.length === 0) return place;
    const moved = this.places.get(delay);
    return moved === undefined ? place : moved;
  }

  /** Lists with nothing due in them are visited in the phase of this moment, one after the other. */
  visit(delays: readonly number[], phase: number | Future): boolean {
    return delays.every((delay) => this.visitOne(delay, phase));
  }

  private visitOne(delay: number, phase: number | Future): boolean {
    const list = this.lists.of(delay) as List;
    const place = this.placeOf(list) as TimerPlace;
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
  comes(place: TimerPlace): boolean {
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

  /**
   * While the loop sleeps it wakes up for each of these lists as its place expires, finds nothing due in it, and sleeps on.
   * `last`: the latest moment before.
   */
  wake(delays: readonly number[], last: number): boolean {
    return delays.every((delay) => {
      const list = this.lists.of(delay) as List;
      const place = this.placeOf(list) as TimerPlace;
      if (!this.isBehind(place, this.closed)) return false;
      const [head] = list.timers;
      const own = head ? this.lists.placeOf(head, this.lists.nextStamp + this.visited.length, last) : null;
      this.places.set(delay, own);
      this.visited.push({ delay, phase: last });
      return own === null || this.demand(place.start, own.start, 1, own.cause);
    });
  }

  /** The loop wakes up for this list before it does for another one. */
  wakesBefore({ place }: List, other: TimerPlace): boolean {
    return this.demand(place.start, other.start, 1 + place.delay - other.delay, other.cause);
  }

  /** It expires by this moment. */
  isDue({ start, delay }: Pick<TimerPlace, 'start' | 'delay'>, moment: number): boolean {
    return this.demand(start, moment, delay);
  }

  /** It expires behind this moment, and behind the phase that gave it. */
  isBehind({ start, delay, cause, beyond }: TimerPlace, moment: number): boolean {
    const latest = Math.max(beyond, moment);
    return start > latest || this.demand(latest, start, 1 - delay, cause);
  }

  /** The second comes behind the first, in the phase that is on; what that has visited comes in another one. */
  isAfter(first: TimerPlace, second: TimerPlace, phase = -1): boolean {
    if (phase >= 0 && second.beyond === phase) return this.isBehind(second, phase);
    return this.demand(first.start, second.start, precedence(first, second), second.cause);
  }
}
