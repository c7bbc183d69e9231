/** A process that runs tests. */
import { FOREIGN_SITES, runtime } from '../../../monitor/runtime/index.ts';
import type { Job } from '../../subjects/job.ts';
import { NOTHING, type Taken } from '../adapter.ts';
import { recipeOfCommand, setBridge } from '../bridge.ts';
import { Serving } from '../serving.ts';
import { hasRun } from '../thread-case.ts';
import type { Vi } from './api.ts';
import { points } from './points.ts';
import { type GetTestFn, type RunnerClass, runnerFrom, type StartTests } from './runner.ts';

export function takeWorker(job: Job): Taken {
  const recipe = recipeOfCommand();
  if (recipe === null) return NOTHING;
  if (job.mode === 'threads') process.once('SIGTERM', leave);
  // What is loaded natively from now on is numbered so that there is room for the points of the command.
  runtime.placeSites(FOREIGN_SITES, []);
  const serving = job.mode === 'serve' ? new Serving(job.out) : null;
  setBridge('vitest', {
    runner: (base: RunnerClass, testFn: GetTestFn, vi: Vi, startTests?: StartTests) =>
      runnerFrom(base, testFn, job, recipe, serving && { serving, vi, startTests }),
    points,
  });
  return NOTHING;
}

/** The command ends its workers as soon as they have told of their tests. What an execution has left is told at an exit; one that had none leaves nothing. */
function leave(): void {
  if (hasRun()) process.exit();
  process.kill(process.pid, 'SIGKILL');
}
