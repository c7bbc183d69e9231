/**
 * Stage 2, prediction: from one recorded run to cut points and the schedules that reach them.
 *
 *   1 program       jobs, requests and conditions out of the event columns
 *   2 causality     what precedes what in every order
 *   3 candidates    triples of the five patterns that no causal order forbids, and those of two variables that have to agree
 *   4 synthesis     for each triple an order near the observed one, checked by abstract replay
 *   5 exploration   abstract orders for the triples that direct synthesis did not reach
 *   6 ranking       the schedules in the order in which they are worth forcing
 *   7 time-outs     orders in which one goes off that was set and cleared, or fired when nobody waited any more
 */
import type { LoopOptions } from '../data/feasibility/rules.ts';
import type { CutPoint, Schedule } from '../data/prediction.ts';
import type { Trace } from '../data/trace.ts';
import { otherAnswers } from './answers.ts';
import { type Candidate, type CandidateStats, candidates } from './candidates.ts';
import { causality } from './causality.ts';
import { cutPointOf } from './cut-point.ts';
import { mayGetStuck } from './deadlock.ts';
import { judgedBy, nearness } from './depends.ts';
import { exploreAbstractly } from './explore.ts';
import { Holds } from './holds.ts';
import { lateEnds } from './late-ends.ts';
import { lockStates } from './locksets.ts';
import { orderPairs } from './order-pairs.ts';
import { buildProgram, type Program } from './program.ts';
import { FREE, rank } from './rank.ts';
import { reasonsOf } from './reasons.ts';
import { replayObserved } from './replay/replay.ts';
import { Trunk } from './replay/trunk.ts';
import { arrange, inTurns, type RankedOrder } from './schedules.ts';
import { excludes, sections } from './sections.ts';
import { Synthesis } from './synthesize.ts';
import { timeouts } from './timeouts.ts';
import { transactions } from './transactions.ts';
import { pairCandidates } from './two-variables.ts';

export interface Prediction {
  readonly cutPoints: readonly CutPoint[];
  /** In the order in which they should be forced. */
  readonly schedules: readonly Schedule[];
  /**
   * By schedule without a cut point: two accesses that would come in the other order, and the one between which that is; or a triple of
   * two variables.
   */
  readonly reordered: ReadonlyMap<string, Candidate>;
  readonly stats: PredictionStats;
}

export interface PredictionStats extends CandidateStats {
  /** Triples that an order reaches. */
  readonly feasible: number;
  /** Triples beyond the budget. */
  readonly left: number;
  /** Not all pairs of two variables were compared. */
  readonly isPairsCut: boolean;
  /** Why the others cannot be reached, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Abstract orders replayed. */
  readonly replayed: number;
  /** Abstract replay of the observed order shows the observed sequence of accesses. */
  readonly faithful: boolean;
}

export interface PredictOptions {
  readonly loop: Partial<LoopOptions>;
  /** Nobody waits for the rest of the search any more; what was found by then is given back. */
  readonly isOver?: () => boolean;
}

/** So many candidates are looked at in one pass over the trace. */
const PASS = 2000;
/** That two variables have to agree is presumed: orders for that come behind those for one. */
const BEHIND = 20;
/** Steps replayed for synthesis: so many for any trace, and so many for each event. What is beyond is left. */
const REPLAYED = 1_000_000;
const REPLAYED_PER_EVENT = 400;

export function predict(trace: Trace, options: PredictOptions = { loop: {} }): Prediction {
  const program = buildProgram(trace);
  const order = causality(program);
  const tx = transactions(trace.activations);
  const { list, stats } = candidates(trace, order.before, tx);
  const locksAt = lockStates(trace, (a) => tx.taskOf(a));
  const around = sections(trace, order.before, (a) => tx.taskOf(a));
  const trunk = new Trunk(program, options.loop);

  const synthesis = new Synthesis(trunk, new Holds(program, order), around);
  const { found } = synthesis;
  const reachable = list.filter(
    ({ first, remote, second }) =>
      !order.oneTurn(first, remote, second) && excludes(around, first, remote, second) < 0,
  );
  const ofTwo = pairCandidates(program, order, tx, list);
  const pairs = ofTwo.pairs.filter(
    ({ first, remote, second }) => excludes(around, first, remote, second) < 0,
  );
  const near = nearness(judgedBy(trace));
  const soon = (c: Candidate): number => near(trace.entities[c.entity]?.name ?? '');
  const ordered = byRank(trace, [...reachable, ...pairs], soon);
  const budget = REPLAYED + REPLAYED_PER_EVENT * trace.events.length;
  let spent = false;
  const isSpent = (): boolean => (spent ||= trunk.replay.cost >= budget || options.isOver?.() === true);
  const cut: Candidate[] = [];
  let looked = 0;
  for (; looked < ordered.length && !isSpent(); looked += PASS)
    cut.push(...synthesis.search(ordered.slice(looked, looked + PASS), isSpent));
  const beyond = new Set([...cut, ...ordered.slice(looked)]);
  const covered = new Set([...found.keys()].map((c) => c.group));
  const isOpen = (c: Candidate): boolean =>
    !found.has(c) && !beyond.has(c) && !covered.has(c.group) && !c.other;
  const open = ordered.slice(0, looked).filter(isOpen);
  const exploration = exploreAbstractly(trunk, open, mayGetStuck(program, locksAt));
  for (const [candidate, way] of exploration.orders) found.set(candidate, way);

  synthesis.search(orderPairs(program, order, tx, found.keys()), isSpent);

  const isOther = otherAnswers(trace, trunk, tx);
  const rows = [...found].map(([candidate, way]): RankedOrder => {
    const { isPair, other, pattern } = candidate;
    const strays = !isSpent() && isOther(candidate, way);
    const row = { order: way, candidate, strays };
    if (isPair) return { ...row, cutPoint: null, score: soon(candidate) };
    const { score: worth, reasons: why } = rank(trace, candidate, way);
    const score = worth + soon(candidate);
    if (other) return { ...row, cutPoint: null, score: score - BEHIND };
    const cutPoint =
      pattern === 'RRW' ? null : cutPointOf(trace, locksAt, { ...candidate, pattern }, worth, why);
    return { ...row, cutPoint, score };
  });
  const cutPoints = rows.flatMap((r) => r.cutPoint ?? []);
  const arranged = arrange(trunk, rows, exploration.stuck?.order ?? null);
  const schedules = [...arranged.schedules, ...timeouts(trace, options.loop.maxStallMs), ...lateEnds(trace)];
  return {
    cutPoints,
    schedules,
    reordered: arranged.reordered,
    stats: {
      ...stats,
      feasible: found.keys().filter(isTriple).toArray().length,
      left: beyond.keys().filter(isTriple).toArray().length,
      reasons: reasonsOf(
        trace,
        list.filter((c) => !found.has(c) && !beyond.has(c)),
        stats,
        order,
        locksAt,
        around,
      ),
      isPairsCut: ofTwo.isCut,
      replayed: exploration.tried,
      faithful: faithful(program),
    },
  };
}

/** It is about one variable, in the order of a pattern. */
const isTriple = ({ isPair, other }: Candidate): boolean => !isPair && !other;

/** Best first as far as that is known without an order; only needed where the budget may end. */
function byRank(
  trace: Trace,
  list: readonly Candidate[],
  soon: (candidate: Candidate) => number,
): readonly Candidate[] {
  if (list.length <= PASS) return list;
  const rows = list.map((candidate) => ({
    candidate,
    score: rank(trace, candidate, FREE).score + soon(candidate),
  }));
  return inTurns(rows).map(({ candidate }) => candidate);
}

/** Self-check: the observed order, replayed, executes every access that the run executed, in its order. */
function faithful(program: Program): boolean {
  const { sequence, executed } = replayObserved(program);
  return sequence.subarray(0, executed).every((event, i) => i === 0 || event > sequence[i - 1]!);
}
