/** Runs that do not end: a failure like others, where the run itself shows that nothing would have ended it. */
import type { RunResult } from '../../data/run.ts';
import { DOES_NOT_END, isEndlessTurn } from '../failure.ts';

/** A run of so many more steps than the observed one, and so many besides, goes round and round. */
const TIMES = 20;
const MORE = 1000;

/**
 * A run that was given up, told as a failure where one of its turns did not end, or where it took a multiple of the steps
 * of the observed one. Anything else may have been slow, or have waited for what is not controlled: it stays unknown.
 */
export function withEndless(result: RunResult, natural: readonly string[]): RunResult {
  const { outcome, failure, doubts = [], ungated, steps } = result;
  if (outcome !== 'unknown' || failure?.kind !== 'timeout') return result;
  if (doubts.length > 0 || Object.keys(ungated).length > 0) return result;
  const isRound = steps.length > TIMES * natural.length + MORE;
  return isEndlessTurn(failure) || isRound ? { ...result, outcome: 'fail', failure: DOES_NOT_END } : result;
}
