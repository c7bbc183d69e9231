/** What overlaps in a test, inside of a process that runs it. */
import type { OverlapInTest } from '../../data/overlap.ts';
import { plainFailure } from '../failure.ts';
import type { CaseBody } from '../runners/adapter.ts';
import { runScenario } from '../scenarios/run.ts';
import type { Execution } from '../subjects/execution.ts';
import type { CaseId } from '../subjects/job.ts';
import { withoutAnswer } from '../subjects/no-answer.ts';
import type { RunReply } from '../subjects/worker-protocol.ts';
import { within } from '../within.ts';
import type { HeldTest } from './held-test.ts';
import { holdAt } from './kinds.ts';
import { NotHeld } from './not-held.ts';
import { heldScenario } from './scenario.ts';

/** A test has no directory that is its own. */
const FOLDER = {
  get(): string {
    throw new Error('a test has no directory');
  },
  made: null,
};

/**
 * Carries the test out up to where it is held, and then what overlaps under the gate. `end` leaves the test.
 * @throws what the test throws before.
 */
export async function overlapIn(
  id: CaseId,
  body: CaseBody,
  { plan, run }: OverlapInTest,
  execution: Execution,
  end: (test: HeldTest) => Promise<void> = async () => {},
): Promise<RunReply> {
  const test = holdAt(plan, id);
  const name = plan.calls.map(({ text }) => text).join(' ∥ ');
  const scenario = heldScenario(plan, name, test, body);
  try {
    return await runScenario(scenario, run, execution, {
      folder: FOLDER,
      within: (what, work) => within(execution.limits.watchdogMs, what, work),
    });
  } catch (error) {
    if (error instanceof NotHeld) return { result: notReached(error), trace: null, reusable: true };
    throw error;
  } finally {
    await end(test);
  }
}

export const notReached = (error: unknown) =>
  withoutAnswer(
    'unknown',
    plainFailure(
      'exception',
      error instanceof NotHeld ? error.name : 'NotReached',
      error instanceof Error ? error.message : String(error),
    ),
    0,
  );
