/** Further observed runs of a test that is to be forced. */
import type { RunResult } from '../../data/run.ts';
import { errorLine } from '../../report/phrase.ts';
import { sameFailure } from '../../rescheduler/investigate/confirm.ts';
import { leavesOf } from '../../rescheduler/investigate/enumeration.ts';
import type { Subject } from '../../rescheduler/subjects/protocol.ts';
import type { StageContext } from './context.ts';
import { strangersOf } from './strangers.ts';

/** Runs of a test beyond the recorded one. */
const RUNS = 2;

/** What the further runs of a test say. */
export interface RepeatedRuns {
  /** Why it does not pass every time, in one line; null where it did. */
  readonly failing: string | null;
  /** The run that did not pass. */
  readonly failed: RunResult | null;
  /** Servers in other processes, not allowed, that the run which did not pass has talked to, or wanted to. */
  readonly strangers: readonly string[];
  /** About how many orders there are, by the last of these runs. */
  readonly expected: number;
  /** How long the longest of these runs took, ms. */
  readonly slowestMs: number;
}

/**
 * A test case of a suite is run alone here for the first time: one that leans on what others did before it fails
 * each time then.
 */
export async function runAgain(context: StageContext, subject: Subject): Promise<RepeatedRuns> {
  let expected = Number.POSITIVE_INFINITY;
  let slowestMs = 0;
  for (let run = 0; run < RUNS && !context.over; run++) {
    const result = await subject.execute({ kind: 'observed' }, context.execution);
    const { outcome, failure, breadth, durationMs } = result;
    slowestMs = Math.max(slowestMs, durationMs);
    expected = leavesOf(breadth);
    if (outcome === 'pass') continue;
    const strangers = strangersOf(result, context);
    const failing = failure ? errorLine(failure) : outcome;
    return { failing, failed: result, strangers, expected, slowestMs };
  }
  return { failing: null, failed: null, strangers: [], expected, slowestMs };
}

/** Whether a test case among others, which failed as it was run by itself, fails alike when it is run so once more. */
export async function leansOnOthers(
  context: StageContext,
  subject: Subject,
  { failed }: Pick<RepeatedRuns, 'failed'>,
): Promise<boolean> {
  if (!failed?.failure || !subject.executeAmongOthers || context.over) return false;
  return sameFailure(await subject.executeFresh({ kind: 'observed' }, context.execution), failed);
}
