/** Runs the body of one test case on plain Node; suites, hooks and the runner are the user's own anyway. */
import type { CaseId, PlainJob } from '../subjects/job.ts';
import { PlainRun } from '../subjects/plain-run.ts';
import type { BodyRunner, CaseBody } from './adapter.ts';

export class PlainCase implements BodyRunner {
  private readonly plain: PlainRun;

  constructor(job: PlainJob) {
    this.plain = new PlainRun(job);
  }

  run(_id: CaseId, body: CaseBody): Promise<unknown> {
    return this.plain.judge(body);
  }

  subtest(): void {}
}
