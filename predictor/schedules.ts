/** From orders to the schedules that are forced: which first, and each order once. */
import type { CutPoint, Schedule } from '../data/prediction.ts';
import type { Candidate } from './candidates.ts';
import { hash } from './cut-point.ts';
import type { Branch, Trunk } from './replay/trunk.ts';
import { switchesOf } from './switches.ts';

export interface Row {
  /** null: a flip. */
  readonly cutPoint: CutPoint | null;
  readonly candidate: Candidate;
  readonly score: number;
  readonly order: Branch;
}

/** Best first, but one of each group before the second of any. */
export function inTurns<T extends { readonly score: number; readonly candidate: Candidate }>(
  rows: readonly T[],
): T[] {
  const seen = new Map<string, number>();
  return rows
    .toSorted((a, b) => b.score - a.score)
    .map((row) => {
      const { group } = row.candidate;
      const round = seen.get(group) ?? 0;
      seen.set(group, round + 1);
      return { row, round };
    })
    .sort((a, b) => a.round - b.round || b.row.score - a.row.score)
    .map(({ row }) => row);
}

/** Steps of all schedules together: more is never forced, and a schedule has all steps from the beginning. */
const MOST_STEPS = 4_000_000;

/**
 * The schedules of all rows, in the order in which they should be forced; equal orders only once. What the
 * recorded run did is not done again: it passed.
 */
export function arrange(trunk: Trunk, rows: readonly Row[]): Schedule[] {
  const known = new Set<string>();
  const schedules: Schedule[] = [];
  let steps = 0;
  for (const { cutPoint, order } of inTurns(rows)) {
    const key = `${order.from} ${order.tail.join()}`;
    if (order.moves === 0 || known.has(key)) continue;
    known.add(key);
    const made = schedule(trunk, cutPoint?.id ?? null, order);
    steps += made.steps.length;
    if (steps > MOST_STEPS) break;
    schedules.push(made);
  }
  return schedules;
}

export function schedule(trunk: Trunk, cutPoint: string | null, order: Branch): Schedule {
  const steps = trunk.namesOf(order);
  return {
    // Of one recording: what the order shares with the observed one need not be read.
    id: hash([cutPoint ?? 'deadlock', String(order.from), ...steps.slice(order.from)]),
    cutPoint,
    steps,
    moves: order.moves,
    switches: switchesOf(steps),
    stallMs: order.clock,
  };
}
