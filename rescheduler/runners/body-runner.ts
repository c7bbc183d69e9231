/** What is done with the body of a test case, whichever runner calls it. */
import type { RunnerName } from '../../data/runners.ts';
import type { Job } from '../subjects/job.ts';
import type { BodyRunner } from './adapter.ts';
import { CaseRunner } from './case-runner.ts';
import { PlainCase } from './plain-case.ts';
import { ThreadCase } from './thread-case.ts';

export function bodyRunnerOf(job: Job, runner: RunnerName): BodyRunner {
  if (job.mode === 'plain') return new PlainCase(job);
  return job.mode === 'threads' ? new ThreadCase() : new CaseRunner(job, runner);
}
