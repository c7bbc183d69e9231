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
const FIRST_CAPACITY = 64;

interface Constraint {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

export class Timeline {
  /** One column per property; `count` moments are in use. */
  private times = new Float64Array(FIRST_CAPACITY);
  private latest = new Float64Array(FIRST_CAPACITY);
  /** For each moment, an earlier one that it follows within so many ms; itself where there is no bound. */
  private anchors = new Int32Array(FIRST_CAPACITY);
  private bounds = new Float64Array(FIRST_CAPACITY);
  /** Times of the present trial, valid where `trials` holds its number. */
  private raised = new Float64Array(FIRST_CAPACITY);
  private trials = new Int32Array(FIRST_CAPACITY);
  /** For each moment: the trial that added a constraint from it, and whether one is kept. */
  private adding = new Int32Array(FIRST_CAPACITY);
  private keeping = new Int32Array(FIRST_CAPACITY);
  private count = 0;
  /** Grows with every change that may change the outcome of a trial. */
  version = 0;
  private trial = 0;
  /** What the present trial moved, and constraints that it added. */
  private readonly moved: number[] = [];
  private readonly added: Constraint[] = [];
  private readonly work: number[] = [];
  private possible = true;
  /** The moment that the constraint being added starts from: it must not move because of it. */
  private source = -1;
  /** How often the present trial moved a moment, and whether it moved any that it did not have to. */
  changes = 0;
  lifted = false;
  private readonly constraints = new Map<number, Constraint[]>();
  private readonly farthest: number;
  private lastRead = -1;

  /** `farthest`: no moment moves by more than this at once, ms. */
  constructor(farthest: number) {
    this.farthest = farthest;
    this.add(0);
  }

  /** The moment that happened last. */
  get last(): number {
    return this.count - 1;
  }

  /** The earliest time at which everything so far can have happened. */
  get now(): number {
    return this.times[this.count - 1] as number;
  }

  timeOf(moment: number): number {
    return this.times[moment] as number;
  }

  /** A further moment, not before `at`, and where given at most `within` ms after the moment `anchor`. */
  add(at: number, anchor = -1, within = Number.POSITIVE_INFINITY): number {
    if (this.count === this.times.length) this.grow();
    const moment = this.count++;
    this.version += 1;
    this.times[moment] = moment === 0 ? at : Math.max(at, this.times[moment - 1] as number);
    this.latest[moment] = Number.POSITIVE_INFINITY;
    this.anchors[moment] = anchor < 0 ? moment : anchor;
    this.bounds[moment] = within;
    return moment;
  }

  private grow(): void {
    const wider = <T extends Float64Array | Int32Array>(column: T): T => {
      const copy = new (column.constructor as new (length: number) => T)(column.length * 2);
      copy.set(column);
      return copy;
    };
    this.times = wider(this.times);
    this.latest = wider(this.latest);
    this.anchors = wider(this.anchors);
    this.bounds = wider(this.bounds);
    this.raised = wider(this.raised);
    this.trials = wider(this.trials);
    this.adding = wider(this.adding);
    this.keeping = wider(this.keeping);
  }

  /** The longest time between two moments of which the later one did not wait for the host, ms. */
  longestPause(waited: ReadonlySet<number>): number {
    let longest = 0;
    for (let moment = 1; moment < this.count; moment++)
      if (!waited.has(moment)) longest = Math.max(longest, this.times[moment]! - this.times[moment - 1]!);
    return longest;
  }

  /** The program reads the clock: it sees `now`. */
  read(): number {
    if (this.lastRead !== this.last) {
      this.lastRead = this.add(0);
      this.latest[this.lastRead] = this.now + PHASE;
    }
    return this.now;
  }

  /** Keeps a constraint for ever: `to` is at least `weight` after `from`. It holds already. */
  keep(from: number, to: number, weight: number): void {
    // What the order of the moments says anyway.
    if (to > from && weight <= 0) return;
    this.version += 1;
    this.keeping[from] = 1;
    const known = this.constraints.get(from);
    if (known) known.push({ from, to, weight });
    else this.constraints.set(from, [{ from, to, weight }]);
  }

  /** Begins to ask what would have to move; forgets the trial before. */
  begin(): void {
    this.trial += 1;
    this.moved.length = 0;
    this.added.length = 0;
    this.possible = true;
    this.changes = 0;
    this.lifted = false;
  }

  /** When a moment would happen in the present trial. */
  at(moment: number): number {
    return (this.trials[moment] === this.trial ? this.raised[moment] : this.times[moment]) as number;
  }

  /**
   * Adds a constraint to the present trial; false where it contradicts what happened or was added before.
   * `lift`: an earlier moment that should move with the target; -1 for none.
   */
  require(from: number, to: number, weight: number, lift = -1): boolean {
    const source = this.at(from);
    const wanted = source + weight;
    if (wanted > this.at(to)) {
      // What holds so far has a solution, so a contradiction runs in a circle through the new constraint.
      this.source = from;
      if (lift >= 0) {
        this.lifted = true;
        this.raise(lift, wanted);
      }
      this.raise(to, wanted);
      this.propagate();
    }
    if (to < from || weight > 0) {
      this.added.push({ from, to, weight });
      this.adding[from] = this.trial;
    }
    return this.possible;
  }

  private raise(moment: number, at: number): void {
    const present = this.at(moment);
    if (at <= present) return;
    const fixed = moment === this.source || moment < this.count - WINDOW;
    if (fixed || at > this.latest[moment]! || at - this.times[moment]! > this.farthest) this.possible = false;
    if (this.trials[moment] !== this.trial) {
      this.trials[moment] = this.trial;
      this.moved.push(moment);
    }
    this.raised[moment] = at;
    this.work.push(moment);
    this.changes += 1;
  }

  private propagate(): void {
    const { work, trial } = this;
    while (this.possible && work.length > 0) {
      const moment = work.pop() as number;
      const at = this.at(moment);
      if (moment + 1 < this.count) this.raise(moment + 1, at);
      this.raise(this.anchors[moment]!, at - this.bounds[moment]!);
      if (this.keeping[moment] === 1)
        for (const { to, weight } of this.constraints.get(moment) as Constraint[])
          this.raise(to, at + weight);
      if (this.adding[moment] === trial)
        for (const { from, to, weight } of this.added) if (from === moment) this.raise(to, at + weight);
    }
    work.length = 0;
  }

  /** By how much the present trial moves the moment that it moves farthest, ms. */
  get shift(): number {
    let most = 0;
    for (const moment of this.moved) most = Math.max(most, this.raised[moment]! - this.times[moment]!);
    return most;
  }

  /** Makes the times of the present trial the true ones. */
  commit(): void {
    this.version += this.moved.length;
    for (const moment of this.moved) this.times[moment] = this.raised[moment] as number;
    this.begin();
  }
}
