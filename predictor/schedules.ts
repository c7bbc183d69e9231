/** From orders to the schedules that are forced: which first, and each order once. */
import type { CutPoint, Schedule } from '../data/prediction.ts';
import type { Candidate } from './candidates.ts';
import { hash } from './cut-point.ts';
import type { Branch, Trunk } from './replay/trunk.ts';
import { switchCounter } from './switches.ts';

export interface RankedOrder {
  /** null: a flip. */
  readonly cutPoint: CutPoint | null;
  readonly candidate: Candidate;
  readonly score: number;
  readonly order: Branch;
  /** A task finds another answer on the way and will hardly go on as predicted: it comes behind all that may. */
  readonly strays: boolean;
}

/** Best first, and of equals the one whose accesses lie closest; but one of each group before the second of any. */
export function inTurns<T extends { readonly score: number; readonly candidate: Candidate }>(
  rows: readonly T[],
): T[] {
  const seen = new Map<string, number>();
  return rows
    .toSorted((a, b) => b.score - a.score || spanOf(a.candidate) - spanOf(b.candidate))
    .map((row) => {
      const { group } = row.candidate;
      const round = seen.get(group) ?? 0;
      seen.set(group, round + 1);
      return { row, round };
    })
    .sort((a, b) => a.round - b.round || b.row.score - a.row.score)
    .map(({ row }) => row);
}

const spanOf = ({ first, isPair, remote, second }: Candidate): number =>
  isPair ? remote - second : second - first;

export interface Arranged {
  readonly schedules: readonly Schedule[];
  /** By schedule without a cut point: the accesses that it was made for. */
  readonly reordered: ReadonlyMap<string, Candidate>;
}

/** Steps of all schedules together: more is never forced, and a schedule has all steps from the beginning. */
const MOST_STEPS = 4_000_000;

/**
 * The schedules of all rows, in the order in which they should be forced: pairs of accesses behind triples; equal orders only
 * once. What the recorded run did is not done again: it passed. The last one, if there is one, gets stuck on locks.
 */
export function arrange(trunk: Trunk, rows: readonly RankedOrder[], stuck: Branch | null): Arranged {
  const known = new Set<string>();
  const schedules: Schedule[] = [];
  const reordered = new Map<string, Candidate>();
  const switchesOf = switchCounter(trunk);
  const add = (cutPoint: string | null, order: Branch, digest: string, of?: Candidate): number => {
    const steps = trunk.namesOf(order);
    const { moves, clock: stallMs } = order;
    const id = hash([cutPoint ?? 'deadlock', digest]);
    if (cutPoint === null && of) reordered.set(id, of);
    schedules.push({ id, cutPoint, steps, moves, switches: switchesOf(order), stallMs });
    return steps.length;
  };
  let steps = 0;
  const groups = Map.groupBy(rows, ({ candidate, strays }) =>
    strays ? 'strays' : candidate.isPair ? 'pairs' : 'triples',
  );
  const ranked = (['triples', 'pairs', 'strays'] as const).flatMap((of) => inTurns(groups.get(of) ?? []));
  for (const { cutPoint, order, candidate } of ranked) {
    const digest = digestOf(order);
    if (order.moves === 0 || known.has(digest)) continue;
    known.add(digest);
    steps += add(cutPoint?.id ?? null, order, digest, candidate);
    if (steps > MOST_STEPS) break;
  }
  if (stuck) add(null, stuck, digestOf(stuck));
  return { schedules, reordered };
}

/** Names an order among those of one trunk: two independent hashes over its steps (FNV-1a, multiplied up). */
function digestOf({ from, tail }: Branch): string {
  let a = 0x811c9dc5;
  let b = 0x9e3779b9;
  for (const step of tail) {
    a = Math.imul(a ^ step, 0x01000193);
    b = Math.imul(b + step, 0x85ebca6b) ^ (b >>> 13);
  }
  return `${from} ${tail.length} ${a >>> 0} ${b >>> 0}`;
}
