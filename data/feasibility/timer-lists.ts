/** Node's lists of pending timers: one per delay, each in order of start, and the places at which they come in a phase. */
import type { Timeline } from './timeline.ts';

export interface Timer {
  readonly id: number;
  readonly delay: number;
  /** The moment of its start. */
  readonly start: number;
  /** The delivery of a host request in whose turn it started; -1 for other turns. */
  readonly cause: number;
  ref: boolean;
}

/** Where a list comes among those of one phase: by when a timer of this start and delay expires. */
export interface Place {
  readonly start: number;
  readonly delay: number;
  /** See {@link TimerLists.stamps}. */
  readonly stamp: number;
}

/** How much later than the first a timer of this delay must start at least to come behind it, ms. */
export function precedence(first: Place, delay: number, stamp: number): number {
  return first.delay - delay + (first.stamp < stamp ? 0 : 1);
}

export class TimerLists {
  private readonly timeline: Timeline;
  private readonly byId = new Map<number, Timer>();
  /** By delay. */
  private readonly lists = new Map<number, Timer[]>();
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

  constructor(timeline: Timeline) {
    this.timeline = timeline;
  }

  /** The same lists on a copy of their timeline. */
  copy(timeline: Timeline): TimerLists {
    const copy = new TimerLists(timeline);
    for (const [id, timer] of this.byId) copy.byId.set(id, timer);
    for (const [delay, list] of this.lists) copy.lists.set(delay, [...list]);
    for (const [delay, stamp] of this.stamps) copy.stamps.set(delay, stamp);
    for (const [delay, place] of this.places) copy.places.set(delay, place);
    copy.visited = this.visited;
    return copy;
  }

  get size(): number {
    return this.byId.size;
  }

  get(id: number): Timer | undefined {
    return this.byId.get(id);
  }

  all(): Iterable<Timer> {
    return this.byId.values();
  }

  /** A timer behind the others of its delay. */
  add(timer: Timer): void {
    const { delay, start } = timer;
    this.byId.set(timer.id, timer);
    const list = this.lists.get(delay);
    if (list) {
      list.push(timer);
      return;
    }
    this.lists.set(delay, [timer]);
    this.stamps.set(delay, start);
    if (!this.places.has(delay)) this.places.set(delay, { start, delay, stamp: start });
  }

  /** It is taken back; `putOff`: to be started anew in the same moment. */
  cancel(timer: Timer, putOff: boolean): void {
    this.remove(timer);
    if (!putOff && timer.ref) this.forgetEmpty(timer.delay);
  }

  /** It fires. */
  fire(timer: Timer): void {
    this.remove(timer);
    this.forgetEmpty(timer.delay);
    this.visited = timer.delay;
  }

  /** The turn of the timer that fired last is over: its list waits for its next timer from this moment on. */
  endTurn(stamp = this.timeline.last + 0.5): void {
    const delay = this.visited;
    this.visited = -1;
    const head = this.lists.get(delay)?.[0];
    if (!head) return;
    this.stamps.set(delay, stamp);
    this.places.set(delay, { start: head.start, delay, stamp });
  }

  private remove(timer: Timer): void {
    this.byId.delete(timer.id);
    const list = this.lists.get(timer.delay) as Timer[];
    if (list.length === 1) this.lists.delete(timer.delay);
    else list.splice(list.indexOf(timer), 1);
  }

  private forgetEmpty(delay: number): void {
    if (!this.lists.has(delay)) this.places.delete(delay);
  }

  isHead(timer: Timer): boolean {
    return this.lists.get(timer.delay)?.[0] === timer;
  }

  /** Whether something holds of the first timer of each list. */
  everyHead(holds: (head: Timer) => boolean): boolean {
    for (const [head] of this.lists.values()) if (!holds(head as Timer)) return false;
    return true;
  }

  /** The first timer of each list. */
  heads(): Timer[] {
    return Array.from(this.lists.values(), ([head]) => head as Timer);
  }

  /** The heads of the lists in the order in which they expire. */
  inOrder(): Timer[] {
    return this.heads().sort((a, b) => (this.precedes(a, b) ? -1 : 1));
  }

  private precedes(a: Timer, b: Timer): boolean {
    const difference = this.expiry(a) - this.expiry(b);
    return difference < 0 || (difference === 0 && this.stampOf(a) < this.stampOf(b));
  }

  /** When it is due, ms. */
  expiry({ start, delay }: Timer): number {
    return this.timeline.timeOf(start) + delay;
  }

  /** The earliest moment at which a pending timer started that may be due soon; infinite where there is none. */
  oldestStart(): number {
    let oldest = Number.POSITIVE_INFINITY;
    for (const head of this.heads())
      if (this.isNear(head)) oldest = Math.min(oldest, head.start, this.keptPlace(head).start);
    return oldest;
  }

  /** The moments at which timers started that may be due soon, and those of the places of their lists. */
  starts(): number[] {
    const near = [...this.all()].filter((timer) => this.isNear(timer));
    return near.flatMap((timer) => [timer.start, this.keptPlace(timer).start]);
  }

  private isNear(timer: Timer): boolean {
    const { now, farthest } = this.timeline;
    return this.expiry(timer) - now <= farthest;
  }

  stampOf({ delay }: Timer): number {
    return this.stamps.get(delay) as number;
  }

  /** The place that the list of a head kept. */
  keptPlace({ delay }: Timer): Place {
    return this.places.get(delay) as Place;
  }

  /** The place that a head gives its list. */
  ownPlace(head: Timer): Place {
    return { start: head.start, delay: head.delay, stamp: this.stampOf(head) };
  }
}
