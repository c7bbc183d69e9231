/** A test whose requests are to overlap, in a process of its own: under the gate, or on plain Node. */

import type { OverlapOfRequests } from '../../data/exchange.ts';
import type { RunnerName } from '../../data/runners.ts';
import { plainFailure } from '../failure.ts';
import { installGate } from '../gate/session.ts';
import type { BodyRunner, CaseBody } from '../runners/adapter.ts';
import { SERVED } from '../runners/warm-start.ts';
import { judgePlainly } from '../scenarios/plain.ts';
import { endNow, endSoon } from '../subjects/end-soon.ts';
import type { CaseId, ForceJob, ForceResult, PlainJob } from '../subjects/job.ts';
import { writeWhole } from '../subjects/job.ts';
import { withoutAnswer } from '../subjects/no-answer.ts';
import { PlainRun } from '../subjects/plain-run.ts';
import { HeldTest } from './held-test.ts';
import { overlapRequests } from './run.ts';
import { requestScenario } from './scenario.ts';

/** The test is not judged: it never comes to an end here. */
const LEFT = new Promise<never>(() => {});

export class ForcedRequests implements BodyRunner {
  private readonly job: ForceJob;
  private readonly requests: OverlapOfRequests;
  private readonly runner: RunnerName;

  constructor(job: ForceJob, requests: OverlapOfRequests, runner: RunnerName) {
    this.job = job;
    this.runner = runner;
    this.requests = requests;
    installGate();
  }

  async run(_id: CaseId, body: CaseBody): Promise<unknown> {
    const { out, execution } = this.job;
    let told: ForceResult;
    try {
      told = await overlapRequests(body, this.requests, execution);
    } catch (error) {
      told = { result: notReached(error), trace: null };
    }
    writeWhole(out, told);
    leave(this.runner);
    return LEFT;
  }

  subtest(): void {}
}

export class PlainRequests implements BodyRunner {
  private readonly plain: PlainRun;
  private readonly requests: OverlapOfRequests;
  private readonly runner: RunnerName;

  constructor(job: PlainJob, requests: OverlapOfRequests, runner: RunnerName) {
    this.plain = new PlainRun(job);
    this.runner = runner;
    this.requests = requests;
  }

  async run(_id: CaseId, body: CaseBody): Promise<unknown> {
    const { plan, run } = this.requests;
    const test = new HeldTest(plan);
    const scenario = requestScenario(plan, '', test, body);
    if (run.kind !== 'judged') throw new Error('only what overlaps is run on plain Node');
    try {
      await judgePlainly(this.plain, scenario, await scenario.spec.setup({ dir: '' }), null, run);
    } finally {
      leave(this.runner);
    }
    return LEFT;
  }

  subtest(): void {}
}

/** A runner whose worker vanishes runs the test again. */
function leave(runner: RunnerName): void {
  if (SERVED.has(runner)) endSoon();
  else endNow();
}

const notReached = (error: unknown) =>
  withoutAnswer(
    'unknown',
    plainFailure('exception', 'NotReached', error instanceof Error ? error.message : String(error)),
    0,
  );
