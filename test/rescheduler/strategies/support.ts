import type { GateView } from '../../../rescheduler/strategies/strategy.ts';

/** Nothing is pending but what is enabled, and nothing comes from outside. */
export const QUIET: GateView = {
  now: 0,
  slept: 0,
  taken: [],
  pendingNames: () => new Set<string>(),
  mayCome: () => false,
};
