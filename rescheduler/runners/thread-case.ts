/** Runs the body of one test case of a program with workers of its own: what it throws is the program's failure. */

import { installGate } from '../gate/session.ts';
import { failed } from '../loops/failure.ts';
import { gatedMain } from '../loops/gated/main.ts';
import { endSoon } from '../subjects/end-soon.ts';
import { IN_RUNNER } from '../subjects/execution.ts';
import type { CaseId } from '../subjects/job.ts';
import type { BodyRunner, CaseBody, RunningCase } from './adapter.ts';

let isReached = false;

/** The case has run in this process. */
export const hasRun = (): boolean => isReached;

export class ThreadCase implements BodyRunner {
  constructor() {
    // The runner may have opened lines to its command since the program began.
    if (gatedMain()) installGate();
  }

  async run(_id: CaseId, body: CaseBody, running: RunningCase): Promise<unknown> {
    isReached = true;
    const main = gatedMain();
    try {
      if (!main) return await body();
      // A test is called in a microtask: what it leaves to microtasks comes before its first ticks.
      const { error, status, value } = await main.part.run(() => Promise.resolve().then(body), IN_RUNNER);
      if (status !== 'ok') throw error;
      main.passed();
      return value;
    } catch (error) {
      failed(error);
      // Not every process that runs tests says by its exit code how they went.
      if (!running.isTodo()) process.exitCode = 1;
      endSoon();
      throw error;
    }
  }

  subtest(): void {
    gatedMain()?.part.notes.tell({ unfit: 'subtests' });
  }
}
