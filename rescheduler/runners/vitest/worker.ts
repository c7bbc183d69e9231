/** A process that runs tests. */

import type { SiteInfo } from '../../../monitor/runtime/index.ts';
import { runtime } from '../../../monitor/runtime/index.ts';
import { type Job, type Recipe, readWhole, VITEST_RECIPE } from '../../subjects/job.ts';
import { NOTHING, type Taken } from '../adapter.ts';
import { setBridge } from './bridge.ts';
import { type GetTestFn, type RunnerClass, runnerFrom } from './runner.ts';

export function takeWorker(job: Job): Taken {
  const told = process.env[VITEST_RECIPE];
  if (!told) return NOTHING;
  const recipe = readWhole<Recipe>(told);
  setBridge({
    runner: (base: RunnerClass, testFn: GetTestFn) => runnerFrom(base, testFn, job, recipe),
    points(file: string) {
      const { first, sites } = readWhole<{ first: number; sites: SiteInfo[] }>(file);
      runtime.placeSites(first, sites);
    },
  });
  return NOTHING;
}
