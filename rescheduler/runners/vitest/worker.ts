/** A process that runs tests. */
import type { Job } from '../../subjects/job.ts';
import { NOTHING, type Taken } from '../adapter.ts';
import { recipeOfCommand, setBridge } from '../bridge.ts';
import { Serving } from '../serving.ts';
import type { Vi } from './api.ts';
import { points } from './points.ts';
import { type GetTestFn, type RunnerClass, runnerFrom, type StartTests } from './runner.ts';

export function takeWorker(job: Job): Taken {
  const recipe = recipeOfCommand();
  if (recipe === null) return NOTHING;
  const serving = job.mode === 'serve' ? new Serving(job.out) : null;
  setBridge('vitest', {
    runner: (base: RunnerClass, testFn: GetTestFn, vi: Vi, startTests?: StartTests) =>
      runnerFrom(base, testFn, job, recipe, serving && { serving, vi, startTests }),
    points,
  });
  return NOTHING;
}
