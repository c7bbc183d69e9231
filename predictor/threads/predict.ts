/**
 * Cut points of a trace of threads, and their schedules as whole orders: what a rescheduler needs.
 *
 * Short traces are decided exactly, triple by triple (representatives.ts); long ones are searched for the most
 * promising kinds (long/predict.ts).
 */
import type { ThreadTrace } from '../../data/threads/trace.ts';
import { inMemory } from './long/long-trace.ts';
import { LIMITS, type Limits, predictLong } from './long/predict.ts';
import { merged } from './merge.ts';
import { earlyReads, triplesAtMost } from './occurrences.ts';
import { newTally, type Tally } from './predict-all.ts';
import { type Representative, representatives, representativesOf } from './representatives.ts';

/** Traces with more triples than this are long. */
const EXACT_TRIPLES = 200_000;

/** Whether every triple of a trace can be decided in reasonable time. */
export const isShort = ({ events }: ThreadTrace): boolean => triplesAtMost(events) <= EXACT_TRIPLES;

/** One cut point of each kind, the most promising first. `tally` says what was looked at, and what is undecided. */
export function cutPointsOf(
  trace: ThreadTrace,
  tally: Tally = newTally(),
  limits: Limits = LIMITS,
): readonly Representative[] {
  if (isShort(trace)) return representatives(trace, tally);
  const found = [...predictLong(inMemory(trace), tally, limits)].filter((cutPoint) => cutPoint !== null);
  return mostPromisingFirst(found);
}

/** Reads that may come too early, one of each kind; of short traces only. */
export const earlyReadsOf = (trace: ThreadTrace, tally: Tally): Representative<'RRW'>[] =>
  triplesAtMost(trace.events) <= EXACT_TRIPLES
    ? representativesOf(earlyReads(trace.events), trace, tally)
    : [];

export const mostPromisingFirst = (found: readonly Representative[]): Representative[] =>
  found.toSorted((a, b) => b.rank - a.rank);

/**
 * The order that shows a cut point, from the beginning of the trace, with few context switches: event indices in
 * execution order. Every two conflicting accesses and all sections of a lock keep the order that its schedule has.
 * `reduced` is what comes after the first `observed` events. One reading; 4 bytes for each event, twice.
 */
export function wholeOrder(
  { events, names }: ThreadTrace,
  { observed, reduced }: { readonly observed: number; readonly reduced: Int32Array },
): Int32Array {
  if (observed === 0) return reduced;
  const order = new Int32Array(observed + reduced.length);
  for (let event = 0; event < observed; event++) order[event] = event;
  order.set(reduced, observed);
  return merged(events, order, names.threads.length);
}
