/** Runs that do not end: a failure like others, where the run itself shows that nothing would have ended it. */
import type { RunResult } from '../../data/run.ts';
import { DOES_NOT_END, isEndlessTurn } from '../failure.ts';

/**
 * A run that was given up, told as a failure where one of its turns did not end: no answer and no timer can come then.
 * One that takes turn after turn may have been slow, or may go round only because the clock of the run stands where
 * that of real Node goes on: it stays unknown.
 */
export function withEndless<R extends RunResult>(result: R): R {
  const { outcome, failure, doubts = [] } = result;
  if (outcome !== 'unknown' || !failure || !isEndlessTurn(failure) || doubts.length > 0) return result;
  return { ...result, outcome: 'fail', failure: DOES_NOT_END };
}
