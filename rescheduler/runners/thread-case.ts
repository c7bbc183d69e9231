/** Runs the body of one test case of a program with workers of its own: what it throws is the program's failure. */
import { failed } from '../loops/failure.ts';
import { gatedMain } from '../loops/gated/main.ts';
import { endSoon } from '../subjects/end-soon.ts';
import { IN_RUNNER } from '../subjects/execution.ts';
import type { CaseId } from '../subjects/job.ts';
import type { BodyRunner, CaseBody } from './adapter.ts';

export class ThreadCase implements BodyRunner {
  async run(_id: CaseId, body: CaseBody): Promise<unknown> {
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
      endSoon();
      throw error;
    }
  }

  subtest(): void {
    gatedMain()?.part.notes.tell({ unfit: 'subtests' });
  }
}
