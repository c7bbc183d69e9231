/** Runs the body of one test case on plain Node; suites, hooks and the runner are the user's own anyway. */
import { endPassed } from '../subjects/end-soon.ts';
import type { CaseId, PlainJob } from '../subjects/job.ts';
import { PlainRun } from '../subjects/plain-run.ts';
import type { BodyRunner, CaseBody } from './adapter.ts';
import { sameCase } from './identity.ts';

export class PlainCase implements BodyRunner {
  private readonly target: CaseId;
  private readonly plain: PlainRun;

  constructor(job: PlainJob) {
    this.target = job.target;
    this.plain = new PlainRun(job);
  }

  async run(id: CaseId, body: CaseBody): Promise<unknown> {
    if (!sameCase(id, this.target)) return body();
    const value = await this.plain.judge(body);
    endPassed();
    return value;
  }

  subtest(): void {}
}
