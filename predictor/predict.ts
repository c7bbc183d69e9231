/**
 * Stage 2, prediction: from one recorded run to cut points and the schedules that reach them.
 *
 *   1 program       jobs, requests and conditions out of the event columns
 *   2 causality     what precedes what in every order
 *   3 candidates    triples of the five patterns that no causal order forbids
 *   4 synthesis     for each triple an order near the observed one, checked by abstract replay
 *   5 exploration   abstract orders for the triples that direct synthesis did not reach
 *   6 ranking       the schedules in the order in which they are worth forcing
 */
import type { LoopOptions } from '../data/feasibility/loop.ts';
import type { CutPoint, Schedule } from '../data/prediction.ts';
import type { Trace } from '../data/trace.ts';
import { type Candidate, type CandidateStats, candidates } from './candidates.ts';
import { causality } from './causality.ts';
import { cutPointOf, hash } from './cut-point.ts';
import { exploreAbstractly } from './explore.ts';
import { compatible, lockStates } from './locksets.ts';
import { buildProgram, type Program } from './program.ts';
import { rank } from './rank.ts';
import { replayObserved } from './replay.ts';
import { switchesOf } from './switches.ts';
import { type Order, synthesize } from './synthesize.ts';
import { transactions } from './transactions.ts';

export interface Prediction {
  readonly cutPoints: readonly CutPoint[];
  /** In the order in which they should be forced. */
  readonly schedules: readonly Schedule[];
  readonly stats: PredictionStats;
}

export interface PredictionStats extends CandidateStats {
  /** Triples that an order reaches. */
  readonly feasible: number;
  /** Why the others cannot be reached, by reason. */
  readonly reasons: Readonly<Record<string, number>>;
  /** Abstract orders replayed. */
  readonly replayed: number;
  /** Abstract replay of the observed order shows the observed sequence of accesses. */
  readonly faithful: boolean;
}

export interface PredictOptions {
  readonly loop: Partial<LoopOptions>;
}

export function predict(trace: Trace, options: PredictOptions = { loop: {} }): Prediction {
  const program = buildProgram(trace);
  const order = causality(program);
  const tx = transactions(trace.activations);
  const { list, stats } = candidates(trace, order.before, tx);
  const locksAt = lockStates(trace, (a) => tx.taskOf(a));

  const found = new Map<Candidate, Order>();
  for (const candidate of list) {
    const way = synthesize(program, order, candidate, options.loop);
    if (way) found.set(candidate, way);
  }
  const covered = new Set([...found.keys()].map((c) => c.group));
  const open = list.filter((c) => !found.has(c) && !covered.has(c.group));
  const exploration = exploreAbstractly(program, open, options.loop);
  for (const [candidate, way] of exploration.orders) found.set(candidate, way);

  const reasons: Record<string, number> = {};
  for (const candidate of list) {
    if (found.has(candidate)) continue;
    const shared = locksAt(candidate.first).locks.filter((l) => locksAt(candidate.remote).locks.includes(l));
    const lock = shared[0] === undefined ? undefined : trace.locks[shared[0]];
    const reason = lock
      ? `both hold ${lock.name}`
      : compatible(locksAt(candidate.first), locksAt(candidate.remote))
        ? 'no feasible order of host answers separates them'
        : 'crossed locks';
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  if (stats.ordered > 0) reasons['one always happens before the other'] = stats.ordered;

  const rows = [...found].map(([candidate, way]): Row => {
    const { score, reasons: why } = rank(trace, candidate, way);
    const { pattern } = candidate;
    const cutPoint =
      pattern === 'RRW' ? null : cutPointOf(trace, locksAt, { ...candidate, pattern }, score, why);
    return { cutPoint, score, way, candidate };
  });
  const cutPoints = rows.flatMap((r) => r.cutPoint ?? []);
  const schedules = arrange(rows);
  if (exploration.stuck) schedules.push(schedule(null, exploration.stuck.order));
  return {
    cutPoints,
    schedules,
    stats: {
      ...stats,
      feasible: found.size,
      reasons,
      replayed: exploration.tried,
      faithful: faithful(program),
    },
  };
}

interface Row {
  /** null: a flip. */
  readonly cutPoint: CutPoint | null;
  readonly score: number;
  readonly way: Order;
  readonly candidate: Candidate;
}

/** Best first, but one of each group before the second of any; equal orders only once. */
function arrange(rows: readonly Row[]): Schedule[] {
  const seen = new Map<string, number>();
  const queue = [...rows]
    .sort((a, b) => b.score - a.score)
    .map((row) => {
      const round = seen.get(row.candidate.group) ?? 0;
      seen.set(row.candidate.group, round + 1);
      return { row, round };
    })
    .sort((a, b) => a.round - b.round || b.row.score - a.row.score);
  const known = new Set<string>();
  const schedules: Schedule[] = [];
  for (const { row } of queue) {
    const made = schedule(row.cutPoint?.id ?? null, row.way);
    const key = made.steps.join('\n');
    if (known.has(key)) continue;
    known.add(key);
    schedules.push(made);
  }
  return schedules;
}

function schedule(cutPointId: string | null, way: Order): Schedule {
  return {
    id: hash([cutPointId ?? 'deadlock', ...way.steps]),
    cutPoint: cutPointId,
    steps: way.steps,
    moves: way.moves,
    switches: switchesOf(way.steps),
    stallMs: way.clock,
  };
}

/** Self-check: the observed order, replayed, executes every access that the run executed, in its order. */
function faithful(program: Program): boolean {
  const { sequence } = replayObserved(program);
  let last = -1;
  for (const event of sequence) {
    if (event < last) return false;
    last = event;
  }
  return true;
}
