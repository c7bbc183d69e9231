import type { RunResult } from '../../data/run.ts';
import type { Verdict } from '../../data/verdicts.ts';

/**
 * What one forced run says before any confirmation; null: it failed or got stuck, so it must be confirmed.
 * A failure of a run that diverged counts as well: it is a failure of the order that really ran.
 */
export function provisionalVerdict(result: RunResult, wantsPattern: boolean): Verdict | null {
  if (result.outcome === 'fail' || result.outcome === 'deadlock') return null;
  if (result.outcome === 'unknown') return 'unknown';
  if (result.followed === 'infeasible') return 'infeasible';
  if (result.followed === 'diverged') return 'diverged';
  // The steps were followed but the accesses did not come: the program took another way.
  if (wantsPattern && !result.patternSeen) return 'diverged';
  return 'passed';
}
