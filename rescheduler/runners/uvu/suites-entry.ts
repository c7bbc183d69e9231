/** The suites of a process of the user's own command, or of one that runs a case: loaded where there are some. */
import { type Job, leaveChildrenAlone, onlyCase } from '../../subjects/job.ts';
import { bodyRunnerOf } from '../body-runner.ts';
import { Suites } from './suites.ts';

export function suitesOf(job: Job): Suites {
  leaveChildrenAlone(job);
  return new Suites(bodyRunnerOf(job, 'uvu'), onlyCase(job));
}
