/** Why triples cannot be reached: which lock, queue or order keeps them apart. */
import type { Trace } from '../data/trace.ts';
import type { Candidate, CandidateStats } from './candidates.ts';
import type { Causality } from './causality.ts';
import { compatible, type lockStates } from './locksets.ts';
import { excludes, type Sections } from './sections.ts';

export function reasonsOf(
  trace: Trace,
  unreached: readonly Candidate[],
  stats: CandidateStats,
  { oneTurn }: Causality,
  locksAt: ReturnType<typeof lockStates>,
  around: Sections,
): Record<string, number> {
  const reasons: Record<string, number> = {};
  for (const { first, remote, second } of unreached) {
    const lock = trace.locks[excludes(around, first, remote, second)];
    const reason = lock
      ? `both hold ${lock.name}`
      : oneTurn(first, remote, second)
        ? 'nothing comes between two accesses of one turn'
        : compatible(locksAt(first), locksAt(remote))
          ? 'no feasible order of host answers separates them'
          : 'crossed locks';
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  }
  if (stats.ordered > 0) reasons['one cannot begin before the other is over'] = stats.ordered;
  return reasons;
}
