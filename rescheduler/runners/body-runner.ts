/** What is done with the body of a test case, whichever runner calls it. */
import type { RunnerName } from '../../data/runners.ts';
import { ForcedOverlap, PlainOverlap } from '../held/forced-case.ts';
import { RecordedOperations } from '../held/recorded-case.ts';
import type { Job, Recipe } from '../subjects/job.ts';
import type { BodyRunner } from './adapter.ts';
import { CaseRunner } from './case-runner.ts';
import { PlainCase } from './plain-case.ts';
import { ThreadCase } from './thread-case.ts';

/** `recipe`: how the tests are started again where that is another process. */
export function bodyRunnerOf(job: Job, runner: RunnerName, recipe?: Recipe): BodyRunner {
  if (job.mode === 'serve') throw new Error('cases of this runner are not served');
  if (job.mode === 'plain')
    return job.overlap ? new PlainOverlap(job, job.overlap, runner) : new PlainCase(job);
  if (job.mode === 'force' && job.overlap) return new ForcedOverlap(job, job.overlap, runner);
  if (job.mode === 'record' && job.config.overlaps)
    return new RecordedOperations(job, job.config.overlaps, runner, recipe);
  return job.mode === 'threads' ? new ThreadCase() : new CaseRunner(job, runner, recipe);
}
