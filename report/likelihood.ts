/** How likely an order is to come by itself, from how late something has to be. */
import type { ReportBug } from '../data/report.ts';

/** Each from so many ms on; the last one that applies. */
const SCALE = [
  { from: 0, is: 'any run', says: 'this may happen in any run' },
  {
    from: 5,
    is: 'a moment of load',
    says: 'this takes a moment of load, as when the disk is slow or garbage is collected',
  },
  { from: 50, is: 'a busy machine', says: 'this takes a busy machine, as CI machines are' },
  {
    from: 500,
    is: 'an incident',
    says: 'this takes an incident, as when a disk stalls or the machine swaps or is suspended',
  },
] as const;

/** What has to be late at least, or how long the process has to stand still, ms. */
export const needOf = ({
  requiredStallMs,
  requiredPauseMs,
}: Pick<ReportBug, 'requiredStallMs' | 'requiredPauseMs'>): number =>
  Math.max(requiredStallMs, requiredPauseMs);

const stepOf = (ms: number) => SCALE.findLast(({ from }) => ms >= from) ?? SCALE[0];

export const likelihoodOf = (ms: number): ReportBug['likelihood'] => stepOf(ms).is;

/** A clause. */
export const likelihoodClause = (ms: number): string => stepOf(ms).says;

/**
 * Races, before those that take a network between the ends, before timing-dependent tests, before what is conditional; of
 * each what needs little in front.
 */
export function byWeight(a: ReportBug, b: ReportBug): number {
  const rank = ({ conditional, class: of, network }: ReportBug): number =>
    conditional !== null ? 3 : of === 'timing' ? 2 : network === true ? 1 : 0;
  return rank(a) - rank(b) || needOf(a) - needOf(b);
}
