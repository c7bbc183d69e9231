/** Overlapping requests inside of a process that runs the test which sends them. */
import type { OverlapOfRequests } from '../../data/exchange.ts';
import type { CaseBody } from '../runners/adapter.ts';
import { runScenario } from '../scenarios/run.ts';
import type { Execution } from '../subjects/execution.ts';
import type { RunReply } from '../subjects/worker-protocol.ts';
import { within } from '../within.ts';
import { HeldTest } from './held-test.ts';
import { requestScenario } from './scenario.ts';

/** A server has no directory that is its own. */
const FOLDER = {
  get(): string {
    throw new Error('requests have no directory');
  },
  made: null,
};

/**
 * Carries the test out up to the request, and then what overlaps under the gate. `end` leaves the test.
 * @throws SubjectError where the test does not come there, or what the test throws before.
 */
export async function overlapRequests(
  body: CaseBody,
  { plan, run }: OverlapOfRequests,
  execution: Execution,
  end: (test: HeldTest) => Promise<void> = async () => {},
): Promise<RunReply> {
  const test = new HeldTest(plan);
  const name = plan.calls.map(({ text }) => text).join(' ∥ ');
  const scenario = requestScenario(plan, name, test, body);
  try {
    return await runScenario(scenario, run, execution, {
      folder: FOLDER,
      within: (what, work) => within(execution.limits.watchdogMs, what, work),
    });
  } finally {
    await end(test);
  }
}
