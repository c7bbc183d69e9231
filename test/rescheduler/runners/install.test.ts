/** Test runners as a list: one from elsewhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RUNNER_NAMES } from '../../../data/runners.ts';
import { NOTHING, type RunnerAdapter } from '../../../rescheduler/runners/adapter.ts';
import { ADAPTERS, installRunners } from '../../../rescheduler/runners/install.ts';
import type { Job } from '../../../rescheduler/subjects/job.ts';

test('a runner from elsewhere takes part beside others, and what it has done counts', () => {
  const job = { mode: 'plain' } as Job;
  const given: Job[] = [];
  let failures = 0;
  const toy: RunnerAdapter = {
    name: 'mocha',
    install: (job) => {
      given.push(job);
      return { hasTests: () => true, hasFailed: () => failures > 0 };
    },
  };
  const elsewhere: RunnerAdapter = { name: 'jest', install: () => NOTHING };
  assert.equal(installRunners(job, [elsewhere]).hasTests(), false);
  const taken = installRunners(job, [elsewhere, toy]);
  assert.deepEqual(given, [job]);
  assert.deepEqual([taken.hasTests(), taken.hasFailed()], [true, false]);
  failures = 1;
  assert.equal(taken.hasFailed(), true);
});

test('each runner that traces may name has an adapter', () =>
  assert.deepEqual(
    Object.values(ADAPTERS)
      .map(({ name }) => name)
      .sort(),
    [...RUNNER_NAMES].sort(),
  ));
