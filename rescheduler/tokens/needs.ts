/** What an order of threads with event loops needs, from what came late in it: answers of the host, or threads that stand still. */
import type { RunResult } from '../../data/run.ts';
import type { LateStep } from './loop-holder.ts';

export function needsOf(
  late: readonly LateStep[],
): Pick<RunResult, 'late' | 'requiredPauseMs' | 'requiredStallMs'> {
  const most = (of: readonly LateStep[]): number => Math.max(0, ...of.map(({ ms }) => ms));
  const answers = late.filter(({ api }) => api !== '').sort((a, b) => b.ms - a.ms);
  return {
    late: answers,
    requiredStallMs: most(answers),
    requiredPauseMs: most(late.filter(({ api }) => api === '')),
  };
}
