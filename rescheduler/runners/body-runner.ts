/** What is done with the body of a test case, whichever runner calls it. */
import type { RunnerName } from '../../data/runners.ts';
import { ForcedRequests, PlainRequests } from '../requests/forced-case.ts';
import { RecordedRequests } from '../requests/recorded-case.ts';
import type { Job, Recipe } from '../subjects/job.ts';
import type { BodyRunner } from './adapter.ts';
import { CaseRunner } from './case-runner.ts';
import { PlainCase } from './plain-case.ts';
import { ThreadCase } from './thread-case.ts';

/** `recipe`: how the tests are started again where that is another process. */
export function bodyRunnerOf(job: Job, runner: RunnerName, recipe?: Recipe): BodyRunner {
  if (job.mode === 'serve') throw new Error('cases of this runner are not served');
  if (job.mode === 'plain')
    return job.requests ? new PlainRequests(job, job.requests, runner) : new PlainCase(job);
  if (job.mode === 'force' && job.requests) return new ForcedRequests(job, job.requests, runner);
  if (job.mode === 'record' && job.config.watchesRequests) return new RecordedRequests(job, runner, recipe);
  return job.mode === 'threads' ? new ThreadCase() : new CaseRunner(job, runner, recipe);
}
