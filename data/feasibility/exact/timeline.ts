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
/** Farther than anything in a run, ms. */
const FAR = 1e9;
/** So often moments may move, on average, before that is taken for endless. */
const MOST_RAISES = 16;

/**
 * The memory of a timeline: one column per property of a moment or a constraint, all of a kind in one piece, so that a
 * copy is quick. It is worth keeping: a short run would spend more time on making columns than on filling them.
 */
class Columns {
  private moments = 0;
  private constraints = 0;
  private momentBytes = new Uint8Array(0);
  private constraintBytes = new Uint8Array(0);
  times!: Float64Array;
  latest!: Float64Array;
  bounds!: Float64Array;
  /** Times of the present trial, valid where `trials` holds its number. */
  raised!: Float64Array;
  trials!: Int32Array;
  /** For each moment, an earlier one that it follows within so many ms; itself where there is no bound. */
  anchors!: Int32Array;
  /** For each moment: the trial that added a constraint from it. */
  adding!: Int32Array;
  /** For each moment: the latest constraint from it that is kept; -1 for none. */
  newest!: Int32Array;
  /** For each kept constraint: the one before it from the same moment, or -1; where it leads, by how much. */
  before!: Int32Array;
  targets!: Int32Array;
  weights!: Float64Array;
  /** Number of the latest trial; never starts over, so that marks of earlier users mean nothing. */
  trial = 0;

  constructor() {
    this.makeMoments(FIRST_CAPACITY);
    this.makeConstraints(FIRST_CAPACITY);
  }

  private makeMoments(size: number): void {
    this.momentBytes = new Uint8Array(size * 48);
    const { buffer } = this.momentBytes;
    const numbers = (column: number) => new Float64Array(buffer, 8 * size * column, size);
    const whole = (column: number) => new Int32Array(buffer, 32 * size + 4 * size * column, size);
    [this.times, this.latest, this.bounds, this.raised] = [numbers(0), numbers(1), numbers(2), numbers(3)];
    [this.trials, this.anchors, this.adding, this.newest] = [whole(0), whole(1), whole(2), whole(3)];
    this.moments = size;
  }

  private makeConstraints(size: number): void {
    this.constraintBytes = new Uint8Array(size * 16);
    const { buffer } = this.constraintBytes;
    this.weights = new Float64Array(buffer, 0, size);
    this.before = new Int32Array(buffer, 8 * size, size);
    this.targets = new Int32Array(buffer, 12 * size, size);
    this.constraints = size;
  }

  moreMoments(): void {
    const old = { ...this };
    this.makeMoments(this.moments * 2);
    for (const column of MOMENTS) this[column].set(old[column]);
  }

  moreConstraints(): void {
    const old = { ...this };
    this.makeConstraints(this.constraints * 2);
    for (const column of CONSTRAINTS) this[column].set(old[column]);
  }

  /** Takes over so many moments and constraints of others. */
  take(from: Columns, moments: number, constraints: number): void {
    // Of the trial that is under way there nothing holds here.
    this.trial = Math.max(this.trial, from.trial) + 1;
    while (this.moments < from.moments) this.moreMoments();
    while (this.constraints < from.constraints) this.moreConstraints();
    // One large copy is quicker than several small ones, unless most of it is room that a longer run has left.
    if (this.moments === from.moments && moments * ROOMY > this.moments)
      this.momentBytes.set(from.momentBytes);
    else for (const column of MOMENTS) this[column].set(from[column].subarray(0, moments));
    if (this.constraints === from.constraints && constraints * ROOMY > this.constraints)
      this.constraintBytes.set(from.constraintBytes);
    else for (const column of CONSTRAINTS) this[column].set(from[column].subarray(0, constraints));
  }
}

const MOMENTS = ['times', 'latest', 'bounds', 'raised', 'trials', 'anchors', 'adding', 'newest'] as const;
const CONSTRAINTS = ['weights', 'before', 'targets'] as const;

/** Those of timelines that were released: as many as the hypotheses of one run need (clock-hypotheses.ts). */
const spare: Columns[] = [];
const MOST_SPARE = 128;
/** Moments of the largest one that is kept, some 1 MB. */
const LARGEST_SPARE = 1 << 14;
/** Less than this part of the columns is in use: it is copied by itself. */
const ROOMY = 8;

export class Timeline {
  private readonly columns: Columns;
  /** Moments, and kept constraints, in use. */
  private count = 0;
  private kept = 0;
  /** Grows with every change that may change the outcome of a trial. */
  version = 0;
  /** What the present trial moved, and constraints that it added: from, to, weight. What is behind the counts is old. */
  private readonly moved: number[] = [];
  private readonly added: number[] = [];
  private movedCount = 0;
  private addedCount = 0;
  private readonly work: number[] = [];
  private possible = true;
  /** The moment that the constraint being added starts from: it must not move because of it. */
  private source = -1;
  /** How often the present trial moved a moment, and whether it moved any that it did not have to. */
  changes = 0;
  lifted = false;
  /** No moment moves by more than this at once, ms. */
  readonly farthest: number;
  private lastRead = -1;
  /** In a trial in which moments move however far: how often they may; else 0. */
  private most = 0;
  /** In such a trial moments before this one do not move. */
  private oldest = 0;

  constructor(farthest: number) {
    this.columns = spare.pop() ?? new Columns();
    this.farthest = farthest;
    this.add(0);
  }

  /** Gives its memory to the next timeline; this one must not be used afterwards. */
  release(): void {
    if (spare.length < MOST_SPARE && this.columns.times.length <= LARGEST_SPARE) spare.push(this.columns);
  }

  /** The same moments and constraints once more; no trial is under way in the copy. */
  copy(): Timeline {
    const copy = new Timeline(this.farthest);
    copy.columns.take(this.columns, this.count, this.kept);
    copy.count = this.count;
    copy.kept = this.kept;
    copy.version = this.version;
    copy.lastRead = this.lastRead;
    return copy;
  }

  /** The moment that happened last. */
  get last(): number {
    return this.count - 1;
  }

  /** The earliest time at which everything so far can have happened. */
  get now(): number {
    return this.columns.times[this.count - 1] as number;
  }

  timeOf(moment: number): number {
    return this.columns.times[moment] as number;
  }

  /** A further moment, not before `at`, and where given at most `within` ms after the moment `anchor`. */
  add(at: number, anchor = -1, within = Number.POSITIVE_INFINITY): number {
    const { columns } = this;
    if (this.count === columns.times.length) columns.moreMoments();
    const moment = this.count++;
    this.version += 1;
    const { times } = columns;
    times[moment] = moment === 0 ? at : Math.max(at, times[moment - 1] as number);
    columns.latest[moment] = Number.POSITIVE_INFINITY;
    columns.anchors[moment] = anchor < 0 ? moment : anchor;
    columns.bounds[moment] = within;
    columns.newest[moment] = -1;
    return moment;
  }

  /** The same, and so many ms after the latest moment. */
  wait(ms: number, anchor: number, within: number): void {
    this.add(this.now + ms, anchor, within);
    this.keep(this.last - 1, this.last, ms);
  }

  /** The longest time between two moments of which the later one did not wait for the host, ms. */
  longestPause(waited: ReadonlySet<number>): number {
    let longest = 0;
    for (let moment = 1; moment < this.count; moment++)
      if (!waited.has(moment))
        longest = Math.max(longest, this.columns.times[moment]! - this.columns.times[moment - 1]!);
    return longest;
  }

  /** The program is told when a moment was. */
  tell(moment: number): number {
    const { times, latest } = this.columns;
    if (latest[moment] === Number.POSITIVE_INFINITY) {
      latest[moment] = times[moment]! + PHASE;
      this.version += 1;
    }
    // Whoever asks again is told the same, even if it has moved a little since.
    return latest[moment]! - PHASE;
  }

  /** The program was told that a moment was at `time`; false where it cannot have been. */
  toldAs(moment: number, time: number): boolean {
    const { columns } = this;
    this.begin();
    if ((columns.times[moment] as number) > time + PHASE || !this.require(0, moment, time)) return false;
    this.commit();
    if (columns.latest[moment] === Number.POSITIVE_INFINITY) columns.latest[moment] = time + PHASE;
    this.version += 1;
    return true;
  }

  /** The clock was read at the latest moment. */
  get isRead(): boolean {
    return this.lastRead === this.last;
  }

  /** The program reads the clock: it sees `now`. */
  read(): number {
    if (!this.isRead) {
      this.lastRead = this.add(0);
      this.columns.latest[this.lastRead] = this.now + PHASE;
    }
    return this.now;
  }

  /** The program read the clock and saw `time`; false where it cannot have. */
  readAs(time: number): boolean {
    if (!this.isRead) this.lastRead = this.add(0);
    return this.toldAs(this.lastRead, time);
  }

  /** Keeps a constraint for ever: `to` is at least `weight` after `from`. It holds already. */
  keep(from: number, to: number, weight: number): void {
    // What the order of the moments says anyway.
    if (to > from && weight <= 0) return;
    this.version += 1;
    const { columns } = this;
    if (this.kept === columns.targets.length) columns.moreConstraints();
    const constraint = this.kept++;
    columns.before[constraint] = columns.newest[from] as number;
    columns.targets[constraint] = to;
    columns.weights[constraint] = weight;
    columns.newest[from] = constraint;
  }

  /** Begins to ask what would have to move; forgets the trial before. */
  begin(): void {
    this.columns.trial += 1;
    this.movedCount = 0;
    this.addedCount = 0;
    this.possible = true;
    this.changes = 0;
    this.lifted = false;
  }

  /** When a moment would happen in the present trial. */
  at(moment: number): number {
    const { trials, trial, raised, times } = this.columns;
    return (trials[moment] === trial ? raised[moment] : times[moment]) as number;
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
      const { added } = this;
      added[this.addedCount++] = from;
      added[this.addedCount++] = to;
      added[this.addedCount++] = weight;
      this.columns.adding[from] = this.columns.trial;
    }
    return this.possible;
  }

  private raise(moment: number, at: number): void {
    const present = this.at(moment);
    if (at <= present) return;
    const { latest, times, trials, trial, raised } = this.columns;
    const fixed = moment === this.source || moment < this.count - WINDOW;
    if (this.most > 0) {
      if (moment < this.oldest) return;
      this.possible &&= this.changes < this.most;
    } else if (fixed || at > latest[moment]! || at - times[moment]! > this.farthest) this.possible = false;
    if (trials[moment] !== trial) {
      trials[moment] = trial;
      this.moved[this.movedCount++] = moment;
    }
    raised[moment] = at;
    this.work.push(moment);
    this.changes += 1;
  }

  private propagate(): void {
    const { work, added } = this;
    const { anchors, bounds, newest, before, targets, weights, adding, trial } = this.columns;
    while (this.possible && work.length > 0) {
      const moment = work.pop() as number;
      const at = this.at(moment);
      if (moment + 1 < this.count) this.raise(moment + 1, at);
      this.raise(anchors[moment]!, at - bounds[moment]!);
      for (let constraint = newest[moment]!; constraint >= 0; constraint = before[constraint]!)
        this.raise(targets[constraint]!, at + weights[constraint]!);
      if (adding[moment] === trial)
        for (let i = 0; i < this.addedCount; i += 3)
          if (added[i] === moment) this.raise(added[i + 1]!, at + added[i + 2]!);
    }
    work.length = 0;
  }

  /**
   * What binds these moments, as numbers to compare with those of another timeline of as many moments; the greater, the
   * less is left open. When each is; by how much the others follow when one moves, however far; by how much that is
   * kept from moving by what was told. What binds through moments before them is overlooked. Not a number where moments
   * follow each other without end.
   */
  profile(moments: readonly number[]): number[] {
    const { times, latest } = this.columns;
    const profile = moments.map((moment) => times[moment] as number);
    this.oldest = Math.min(...moments);
    for (const from of moments) {
      this.begin();
      this.most = this.count * MOST_RAISES;
      this.raise(from, times[from]! + FAR);
      this.propagate();
      const isOver = this.possible;
      this.most = 0;
      const follows = (moment: number): number =>
        this.at(moment) > times[moment]! ? this.at(moment) - this.at(from) : Number.NEGATIVE_INFINITY;
      for (const moment of moments) profile.push(isOver ? follows(moment) : Number.NaN);
      let told = Number.NEGATIVE_INFINITY;
      for (let i = 0; i < this.movedCount; i++) {
        const moment = this.moved[i] as number;
        told = Math.max(told, follows(moment) - latest[moment]!);
      }
      profile.push(told);
    }
    this.begin();
    return profile;
  }

  /** By how much the present trial moves the moment that it moves farthest, ms. */
  get shift(): number {
    let most = 0;
    const { raised, times } = this.columns;
    for (let i = 0; i < this.movedCount; i++) {
      const moment = this.moved[i] as number;
      most = Math.max(most, raised[moment]! - times[moment]!);
    }
    return most;
  }

  /** Makes the times of the present trial the true ones. */
  commit(): void {
    const { raised, times } = this.columns;
    this.version += this.movedCount;
    for (let i = 0; i < this.movedCount; i++) {
      const moment = this.moved[i] as number;
      times[moment] = raised[moment] as number;
    }
    this.begin();
  }
}
