/** Runs the body of one test case on plain Node; suites, hooks and the runner are the user's own anyway. */
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
    return sameCase(id, this.target) ? this.plain.judge(body) : body();
  }

  subtest(): void {}
}
