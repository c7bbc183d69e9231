/** A process that runs tests. */

import type { SiteInfo } from '../../../monitor/runtime/index.ts';
import { runtime } from '../../../monitor/runtime/index.ts';
import { type Job, readWhole } from '../../subjects/job.ts';
import { NOTHING, type Taken } from '../adapter.ts';
import { recipeOfCommand, setBridge } from '../bridge.ts';

import { type GetTestFn, type RunnerClass, runnerFrom } from './runner.ts';

export function takeWorker(job: Job): Taken {
  const recipe = recipeOfCommand();
  if (recipe === null) return NOTHING;
  setBridge('vitest', {
    runner: (base: RunnerClass, testFn: GetTestFn) => runnerFrom(base, testFn, job, recipe),
    points(file: string) {
      const { first, sites } = readWhole<{ first: number; sites: SiteInfo[] }>(file);
      runtime.placeSites(first, sites);
    },
  });
  return NOTHING;
}
