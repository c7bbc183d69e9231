/**
 * Cut points of a trace of any length, in memory that does not depend on its length. The pass (pass/pass.ts) finds
 * the kinds that locks and must-order allow: entity, program points and pattern; in many traces that decides. The
 * most promising of them are looked for in the trace, and get a schedule in windows (search.ts), or by letting one
 * thread wait (delay.ts) where nothing of a kind is close together. What is left is counted, as reachable or as
 * undecided: nothing that the pass has found is lost silently.
 */
import type { ThreadNames } from '../../../data/threads/trace.ts';
import type { Epochs } from '../pass/epochs.ts';
import { Pass, type WitnessedTriple } from '../pass/pass.ts';
import type { Tally } from '../predict-all.ts';
import type { Representative } from '../representatives.ts';
import { Accesses, pairsOf } from './accesses.ts';
import { bestOf } from './best.ts';
import { type Block, blocksOf, OVERLAP } from './blocks.ts';
import { type FarLimits, farApart } from './far.ts';
import { type Access, Kinds, type OccurrenceKind, shapesOf } from './kinds.ts';
import type { LongTrace } from './long-trace.ts';
import { attempt, BEHIND } from './search.ts';

/** What a prediction may cost. */
export interface Limits {
  /** Kinds that are looked for: what memory allows. */
  readonly kinds: number;
  /** Each kind may have one cut point; so many in all may be shared out evenly among fewer kinds. */
  readonly cutPoints: number;
  /** Events in windows, and twice those in schedules found there: about a microsecond each. */
  readonly work: number;
  /** Of candidates that are far apart. */
  readonly far: FarLimits;
  /** Events that are looked at together, and again with the next ones (blocks.ts). */
  readonly overlap: number;
}

export const LIMITS: Limits = {
  kinds: 20_000,
  cutPoints: 5000,
  work: 7_000_000,
  far: { events: 1_000_000, distance: 300_000_000 },
  overlap: OVERLAP,
};

/** The cut points as they are found; null now and then, so that the work can be interrupted. */
export function* predictLong(
  trace: LongTrace,
  tally: Tally,
  limits: Limits = LIMITS,
): Generator<Representative | null> {
  const pass = new Pass(trace.counts);
  for (const piece of trace.chunks()) {
    pass.look(piece);
    yield null;
  }
  for (const piece of trace.chunks()) {
    pass.scan(piece);
    yield null;
  }
  const { count, best } = bestOf(pass, limits.kinds);
  const kinds = new Kinds(best, trace.counts.entities);
  yield* new LongSearch(trace, kinds, pass.epochs, limits).run();
  yield* farApart(
    trace,
    kinds.all.filter(({ found }) => found === 0),
    limits.far,
  );
  const open = kinds.all.filter(({ found }) => found === 0);
  const left = count - (kinds.all.length - open.length);
  tally.triples = count;
  tally.unscheduled = pass.isExact ? left : open.filter(({ candidate }) => isObserved(candidate)).length;
  tally.undecided = left - tally.unscheduled;
}

/** Whether the trace itself shows it. */
const isObserved = ({ first, remote, second }: WitnessedTriple): boolean => first < remote && remote < second;

/** What it costs to look for a remote access of a pair, and to look at one, in the unit of {@link Limits.work}. */
const [PAIR, LOOK] = [0.5, 0.005];
/** Remote accesses of a kind that are tried with one pair of local ones, and looked at. */
const [REMOTES_TRIED, REMOTES_SEEN] = [4, 1000];

class LongSearch {
  private readonly trace: LongTrace;
  private readonly kinds: Kinds;
  private readonly epochs: Epochs;
  private readonly names: ThreadNames;
  private readonly overlap: number;
  private work: number;
  /** Cut points that each kind may have now, and kinds that have fewer. */
  private perKind = 1;
  private open = 0;
  /** What each kind may have in the end. */
  private readonly most: number;
  private accesses: Accesses;
  /** Occurrences that lie further apart are passed by. */
  private reach = 0;

  constructor(trace: LongTrace, kinds: Kinds, epochs: Epochs, limits: Limits) {
    this.trace = trace;
    this.kinds = kinds;
    this.epochs = epochs;
    this.accesses = new Accesses(kinds, trace.counts.threads, epochs);
    this.names = trace.names();
    this.work = limits.work;
    this.overlap = limits.overlap;
    this.most = Math.max(1, Math.floor(limits.cutPoints / Math.max(1, kinds.all.length)));
  }

  /** One cut point of each kind first, then more of each. */
  *run(): Generator<Representative | null> {
    yield* this.round(1);
    if (this.most > 1 && this.work > 0) yield* this.round(this.most);
  }

  private *round(perKind: number): Generator<Representative | null> {
    this.perKind = perKind;
    this.open = this.kinds.all.filter(({ found }) => found < perKind).length;
    const { threads } = this.trace.counts;
    const accesses = (this.accesses = new Accesses(this.kinds, threads, this.epochs));
    let done = 0;
    for (const block of blocksOf(this.trace.chunks(), threads, this.overlap)) {
      if (this.open === 0 || this.work <= 0) return;
      const end = block.from + block.events.length;
      accesses.take(block.events, accesses.length - block.from);
      accesses.forget(block.from);
      this.reach = reachAt(end / this.trace.counts.events);
      // What is too close to the end of a block is in the middle of the next one.
      const to = block.isLast ? end : end - Math.min(BEHIND, this.overlap >> 2);
      for (const list of accesses.byEntity.values()) yield* this.entity(block, list, done, to);
      done = to;
      yield null;
    }
  }

  /** The occurrences on one entity, the last event of which is from `from` to `to`. */
  private *entity(
    block: Block,
    list: readonly Access[],
    from: number,
    to: number,
  ): Generator<Representative | null> {
    for (const [first, second] of pairsOf(list))
      for (const kind of this.kinds.of(first, second)) {
        if (kind.found >= this.perKind || this.work <= 0) continue;
        yield* this.pair(block, kind, first, second, list, from, to);
      }
  }

  private *pair(
    block: Block,
    kind: OccurrenceKind,
    first: Access,
    second: Access,
    list: readonly Access[],
    from: number,
    to: number,
  ): Generator<Representative | null> {
    const shape = shapesOf(kind.candidate).remote;
    let tried = 0;
    this.work -= PAIR;
    for (const remote of byDistance(list, first)) {
      this.work -= LOOK;
      if (tried === REMOTES_TRIED || kind.found >= this.perKind || this.work <= 0) return;
      const last = Math.max(second.event, remote.event);
      if (last - Math.min(first.event, remote.event) > this.reach) continue;
      if (remote.shape !== shape || remote.thread === first.thread || last < from || last >= to) continue;
      if (!kind.wants(first, remote)) continue;
      if (!this.accesses.canMeet(first, second, remote)) continue;
      const { entity, pattern } = kind.candidate;
      const triple = { pattern, entity, first: first.event, remote: remote.event, second: second.event };
      const { cutPoint, work } = attempt(block, this.names, triple);
      this.work -= work;
      tried += 1;
      kind.note(first, remote, cutPoint !== null);
      if (kind.found === this.perKind) this.open -= 1;
      yield cutPoint;
    }
  }
}

/** Choosy at the beginning of a trace, in the hope of something closer: windows cost what they hold. */
const reachAt = (part: number): number => (part > 0.5 ? Number.POSITIVE_INFINITY : 256 * 2 ** (16 * part));

/** The place of an access in a list that is sorted by event. */
function indexOf(list: readonly Access[], { event }: Access): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]!.event < event) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Accesses around one of them, the nearest first, as many as are worth looking at. */
function* byDistance(list: readonly Access[], from: Access): Generator<Access> {
  let after = indexOf(list, from) + 1;
  let before = after - 2;
  for (let seen = 0; seen < REMOTES_SEEN && (before >= 0 || after < list.length); seen++) {
    const [left, right] = [list[before], list[after]];
    const isLeft =
      right === undefined || (left !== undefined && from.event - left.event < right.event - from.event);
    yield list[isLeft ? before-- : after++]!;
  }
}
