/** The result of a run whose process ended without telling one. */
import type { Failure, Outcome, RunResult } from '../../data/run.ts';

/** All that is known is how the process ended, and after how long. */
export function withoutAnswer(outcome: Outcome, failure: Failure, durationMs: number): RunResult {
  return {
    outcome,
    followed: null,
    patternSeen: false,
    failure,
    steps: [],
    breadth: 0,
    requiredStallMs: 0,
    requiredPauseMs: 0,
    late: [],
    traceHash: '',
    divergence: null,
    waits: [],
    ungated: {},
    durationMs,
  };
}
