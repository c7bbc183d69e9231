/** How soon a cut point of threads is tried, with the reasons. */
import { type Ranked, SHAPES } from '../rank.ts';
import type { Occurrence } from './occurrences.ts';
import type { Skeleton } from './skeleton.ts';

/** Events of a thread between two accesses that are still "close together". */
const NEAR = 30;

export function rank(
  { place, trace }: Skeleton,
  { first, pattern, remote, second }: Occurrence,
  completes: boolean,
  switches: number,
): Ranked {
  const { point } = trace.events;
  const points = { first: point[first]!, remote: point[remote]!, second: point[second]! };
  return rankOf({ pattern, points, distance: place[second]! - place[first]! }, completes, switches);
}

/** The same, of what is known of a triple. `distance`: events of its thread between the local accesses. */
export function rankOf(
  {
    distance,
    pattern,
    points,
  }: {
    readonly distance: number;
    readonly pattern: Occurrence['pattern'];
    readonly points: { readonly first: number; readonly remote: number; readonly second: number };
  },
  completes: boolean,
  switches: number,
): Ranked {
  const [shape, reason] = SHAPES[pattern];
  const all: (readonly [number, string])[] = [[shape, reason]];
  if (completes) all.push([2, 'the second access follows']);
  if (switches <= 2) all.push([2, 'two switches are enough']);
  if (switches > 6) all.push([-1, 'many switches']);
  if (points.remote === points.first || points.remote === points.second)
    all.push([1, 'same statement in both threads']);
  if (distance < NEAR) all.push([1, 'accesses close together']);
  return {
    score: all.reduce((sum, [value]) => sum + value, 0),
    reasons: all.map(([value, why]) => `${why} (${value > 0 ? '+' : ''}${value})`),
  };
}
