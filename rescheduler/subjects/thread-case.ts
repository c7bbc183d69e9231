/** Runs the body of one test case of a program with workers of its own: what it throws is the program's failure. */
import { failed } from '../loops/failure.ts';
import type { BodyRunner, CaseBody } from './case-runner.ts';
import { endSoon } from './end-soon.ts';
import type { CaseId } from './job.ts';

export class ThreadCase implements BodyRunner {
  async run(_id: CaseId, body: CaseBody): Promise<unknown> {
    try {
      return await body();
    } catch (error) {
      failed(error);
      endSoon();
      throw error;
    }
  }

  subtest(): void {}
}
