/** The runners that are known, each taking part in the processes that run its tests. */
import type { RunnerName } from '../../data/runners.ts';
import type { Job } from '../subjects/job.ts';
import type { RunnerAdapter, Taken } from './adapter.ts';
import { jest } from './jest/adapter.ts';
import { mocha } from './mocha/adapter.ts';
import { nodeTest } from './node-test/adapter.ts';
import { uvu } from './uvu/adapter.ts';
import { vitest } from './vitest/adapter.ts';

export const ADAPTERS: Readonly<Record<RunnerName, RunnerAdapter>> = {
  'node-test': nodeTest,
  mocha,
  vitest,
  jest,
  uvu,
};

/** Lets all of them take part in this process. */
export function installRunners(
  job: Job,
  adapters: readonly RunnerAdapter[] = Object.values(ADAPTERS),
): Taken {
  const all = adapters.map((adapter) => adapter.install(job));
  return {
    hasTests: () => all.some((each) => each.hasTests()),
    hasFailed: () => all.some((each) => each.hasFailed()),
    runsElsewhere: all.some((each) => each.runsElsewhere === true),
    notRun: () => all.reduce((sum, each) => sum + (each.notRun?.() ?? 0), 0),
  };
}
