/**
 * The moments of a run and the earliest times at which they can have happened: a simple temporal network.
 * Moments are numbered in the order in which they happened, so each is at or after the one before. Further
 * constraints only ever say "b at least w after a" (b may be the earlier one, w negative), so that there is
 * one least solution, and a new constraint can only move moments to later times. A time that the program has
 * read from a clock cannot move any more.
 */

/** Moments older than this no longer move: an order that would need it is taken for infeasible. */
const WINDOW = 4000;
/**
 * A clock that the program read may in truth have been this much further, ms: the loop's own clock and the
 * program's are both cut to whole milliseconds, but not at the same instants.
 */
const PHASE = 1;

/** `to` happens at least `weight` ms after `from`. */
export interface Constraint {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** Moments that have to move, with their new times. */
export type Raised = ReadonlyMap<number, number>;

const NOTHING: Raised = new Map();

/** The columns of a timeline, as a trial reads them. */
interface Columns {
  readonly times: readonly number[];
  readonly latest: readonly number[];
  readonly anchors: readonly number[];
  readonly bounds: readonly number[];
  readonly constraints: ReadonlyMap<number, readonly Constraint[]>;
  readonly farthest: number;
}

/** Adds constraints one after the other without changing the timeline. */
class Trial {
  readonly raised = new Map<number, number>();
  private readonly columns: Columns;
  private readonly frozen: number;
  private readonly added: Constraint[] = [];
  private readonly work: number[] = [];
  private possible = true;

  constructor(columns: Columns, frozen: number) {
    this.columns = columns;
    this.frozen = frozen;
  }

  /** False where the constraint contradicts those before it. */
  add(constraint: Constraint, lift?: (moment: number) => number | null): boolean {
    const { from, to, weight } = constraint;
    const source = this.at(from);
    const wanted = source + weight;
    if (wanted > this.at(to)) {
      const earlier = lift?.(to) ?? null;
      if (earlier !== null) this.require(earlier, wanted);
      this.require(to, wanted);
      this.propagate();
      // What holds so far has a solution, so a contradiction runs in a circle through the new constraint.
      if (this.at(from) > source) return false;
    }
    this.added.push(constraint);
    return this.possible;
  }

  private at(moment: number): number {
    return this.raised.get(moment) ?? (this.columns.times[moment] as number);
  }

  private require(moment: number, at: number): void {
    if (at <= this.at(moment)) return;
    const { times, latest, farthest } = this.columns;
    if (moment < this.frozen || at > latest[moment]! || at - times[moment]! > farthest) this.possible = false;
    this.raised.set(moment, at);
    this.work.push(moment);
  }

  private propagate(): void {
    const { times, anchors, bounds, constraints } = this.columns;
    while (this.possible) {
      const moment = this.work.pop();
      if (moment === undefined) return;
      const at = this.at(moment);
      if (moment + 1 < times.length) this.require(moment + 1, at);
      this.require(anchors[moment]!, at - bounds[moment]!);
      const kept = constraints.get(moment);
      if (kept) for (const { to, weight } of kept) this.require(to, at + weight);
      for (const { from, to, weight } of this.added) if (from === moment) this.require(to, at + weight);
    }
  }
}

export class Timeline implements Columns {
  readonly times: number[] = [0];
  readonly latest: number[] = [Number.POSITIVE_INFINITY];
  /** For each moment, an earlier one that it follows within so many ms; itself where there is no bound. */
  readonly anchors: number[] = [0];
  readonly bounds: number[] = [0];
  readonly constraints = new Map<number, Constraint[]>();
  readonly farthest: number;
  private lastRead = -1;

  /** `farthest`: no moment moves by more than this at once, ms. */
  constructor(farthest: number) {
    this.farthest = farthest;
  }

  /** The moment that happened last. */
  get last(): number {
    return this.times.length - 1;
  }

  /** The earliest time at which everything so far can have happened. */
  get now(): number {
    return this.times[this.times.length - 1] as number;
  }

  timeOf(moment: number): number {
    return this.times[moment] as number;
  }

  /** A further moment, not before `at`, and where given at most `within` ms after the moment `anchor`. */
  add(at: number, anchor = -1, within = Number.POSITIVE_INFINITY): number {
    const moment = this.times.length;
    this.times.push(Math.max(at, this.now));
    this.latest.push(Number.POSITIVE_INFINITY);
    this.anchors.push(anchor < 0 ? moment : anchor);
    this.bounds.push(within);
    return moment;
  }

  /** The program reads the clock: it sees `now`. */
  read(): number {
    if (this.lastRead !== this.last) {
      this.lastRead = this.add(0);
      this.latest[this.lastRead] = this.now + PHASE;
    }
    return this.now;
  }

  /** Keeps a constraint for ever. It holds already, or {@link apply} makes it hold. */
  keep(constraint: Constraint): void {
    const { from, to, weight } = constraint;
    // What the order of the moments says anyway.
    if (to > from && weight <= 0) return;
    const known = this.constraints.get(from);
    if (known) known.push(constraint);
    else this.constraints.set(from, [constraint]);
  }

  /**
   * What has to move if these constraints are to hold as well; null where they contradict what happened.
   * `lift` names, for the target of a constraint, an earlier moment that should move with it.
   */
  attempt(extra: readonly Constraint[], lift?: (moment: number) => number | null): Raised | null {
    const { times } = this;
    if (extra.every(({ from, to, weight }) => times[to]! >= times[from]! + weight)) return NOTHING;
    const trial = new Trial(this, times.length - WINDOW);
    for (const constraint of extra) if (!trial.add(constraint, lift)) return null;
    return trial.raised;
  }

  /** Makes later times the present ones. */
  apply(raised: Raised): void {
    for (const [moment, at] of raised) this.times[moment] = at;
  }
}
