/**
 * Cut points of a trace that is too long to decide every triple of: the candidates of one pass (pass/pass.ts),
 * the most promising of which are decided exactly, as many as the work allows. What is left is counted.
 */
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
  const best = new Best();
  pass.candidates((candidate) => best.add(candidate));
  return { count: best.count, best: best.sorted() };
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

/** The most promising of a stream of candidates: by pattern, then by how close the local accesses are. */
class Best {
  count = 0;
  private kept: Candidate[] = [];

  add(candidate: Candidate): void {
    this.count += 1;
    this.kept.push(candidate);
    if (this.kept.length >= 2 * KEPT) this.kept = this.sorted();
  }

  sorted(): Candidate[] {
    const promise = ({ pattern }: Candidate): number => SHAPES[pattern][0];
    return this.kept
      .sort((a, b) => promise(b) - promise(a) || a.second - a.first - (b.second - b.first))
      .slice(0, KEPT);
  }
}
