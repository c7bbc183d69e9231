/**
 * Cut points of a trace that is too long to decide every triple of: the candidates of one pass (pass/pass.ts),
 * the most promising of which are decided exactly, as many as the work allows. What is left is counted.
 */
import type { Pattern } from '../../data/prediction.ts';
import type { ThreadEvents, ThreadTrace } from '../../data/threads/trace.ts';
import { SHAPES } from '../rank.ts';
import { type Candidate, type Counts, Pass } from './pass/pass.ts';
import { rank } from './rank.ts';
import { Reach } from './reach.ts';
import { reduceSwitches } from './reduce.ts';
import type { Representative } from './representatives.ts';
import { skeletonOf } from './skeleton.ts';

/** Events that may be ordered in all. */
const WORK = 30_000_000;
/** Longer traces than this are not taken apart: their candidates are listed as they are. */
const MOST_EVENTS = 4_000_000;
/** Candidates that are kept. */
const KEPT = 10_000;

interface Candidates {
  /** All that were found. */
  readonly count: number;
  /** The most promising. */
  readonly best: readonly Candidate[];
}

/** `read` gives the events in pieces, and is called twice. */
function candidatesOf(counts: Counts, read: () => Iterable<ThreadEvents>): Candidates {
  const pass = new Pass(counts);
  for (const piece of read()) pass.look(piece);
  for (const piece of read()) pass.scan(piece);
  const best = new Best(KEPT);
  pass.candidates((pattern, local, remotes, count) => {
    best.count += count;
    const promise = SHAPES[pattern][0] * FAR - pass.distance(local);
    for (let at = 0; at < count && promise > best.least; at++)
      best.add({ promise, pattern, local, remote: remotes[at]! });
  });
  return {
    count: best.count,
    best: best.sorted().map(({ pattern, local, remote }) => pass.candidate(pattern, local, remote)),
  };
}

export interface LargePrediction {
  readonly cutPoints: readonly Representative[];
  readonly candidates: number;
  /**
   * Kinds that were not decided: for want of work or of search, or because the one triple that was tried
   * cannot be reached and others of its kind were not.
   */
  readonly undecided: number;
}

export function predictLarge(trace: ThreadTrace): LargePrediction {
  const { events, names } = trace;
  const { count, best } = candidatesOf(
    { threads: names.threads.length, entities: names.entities.length, events: events.length },
    () => [events],
  );
  if (events.length > MOST_EVENTS) return { cutPoints: [], candidates: count, undecided: count };
  const skeleton = skeletonOf(trace);
  const reach = new Reach(skeleton);
  const cutPoints: Representative[] = [];
  for (const candidate of best.slice(0, Math.ceil(WORK / events.length))) {
    const reached = reach.reach(candidate);
    if (reached === null || reached === 'undecided') continue;
    const reduced = reduceSwitches(skeleton, reached.schedule);
    const { score, reasons } = rank(skeleton, candidate, reached.completes, reduced.after);
    const { pattern, entity, first, remote, second } = candidate;
    const occurrence = { pattern, entity, first, remote, second };
    cutPoints.push({ ...occurrence, ...reached, alike: 1, reduced, rank: score, reasons });
  }
  cutPoints.sort((a, b) => b.rank - a.rank);
  return { cutPoints, candidates: count, undecided: count - cutPoints.length };
}

interface Kept {
  readonly promise: number;
  readonly pattern: Pattern;
  readonly local: number;
  readonly remote: number;
}

/** Larger than any distance. */
const FAR = 2 ** 32;

/** The most promising of a stream of candidates: by pattern, then by how close the local accesses are. */
class Best {
  count = 0;
  private readonly limit: number;
  private kept: Kept[] = [];
  /** What is less promising is not kept. */
  least = Number.NEGATIVE_INFINITY;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(candidate: Kept): void {
    this.kept.push(candidate);
    if (this.kept.length < 2 * this.limit) return;
    this.kept = this.sorted();
    this.least = this.kept.at(-1)!.promise;
  }

  sorted(): Kept[] {
    return this.kept.toSorted((a, b) => b.promise - a.promise).slice(0, this.limit);
  }
}
