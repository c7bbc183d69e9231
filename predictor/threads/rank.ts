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
  const [shape, reason] = SHAPES[pattern];
  const all: (readonly [number, string])[] = [[shape, reason]];
  if (completes) all.push([2, 'the second access follows']);
  if (switches <= 2) all.push([2, 'two switches are enough']);
  if (switches > 6) all.push([-1, 'many switches']);
  if (point[remote] === point[first] || point[remote] === point[second])
    all.push([1, 'same statement in both threads']);
  if (place[second]! - place[first]! < NEAR) all.push([1, 'accesses close together']);
  return {
    score: all.reduce((sum, [points]) => sum + points, 0),
    reasons: all.map(([points, why]) => `${why} (${points > 0 ? '+' : ''}${points})`),
  };
}
