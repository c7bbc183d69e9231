/** A test in which something is to overlap, in a process of its own: under the gate, or on plain Node. */

import type { OverlapInTest } from '../../data/overlap.ts';
import type { RunnerName } from '../../data/runners.ts';
import { installGate } from '../gate/session.ts';
import type { BodyRunner, CaseBody } from '../runners/adapter.ts';
import { isServed } from '../runners/warm-start.ts';
import { judgePlainly } from '../scenarios/plain.ts';
import { endNow, endSoon } from '../subjects/end-soon.ts';
import type { CaseId, ForceJob, ForceResult, PlainJob } from '../subjects/job.ts';
import { writeWhole } from '../subjects/job.ts';
import { PlainRun } from '../subjects/plain-run.ts';
import { holdAt } from './kinds.ts';
import { notReached, overlapIn } from './run.ts';
import { heldScenario } from './scenario.ts';

/** The test is not judged: it never comes to an end here. */
const LEFT = new Promise<never>(() => {});

export class ForcedOverlap implements BodyRunner {
  private readonly job: ForceJob;
  private readonly overlap: OverlapInTest;
  private readonly runner: RunnerName;

  constructor(job: ForceJob, overlap: OverlapInTest, runner: RunnerName) {
    this.job = job;
    this.runner = runner;
    this.overlap = overlap;
    installGate();
  }

  async run(id: CaseId, body: CaseBody): Promise<unknown> {
    const { out, execution } = this.job;
    let told: ForceResult;
    try {
      told = await overlapIn(id, body, this.overlap, execution);
    } catch (error) {
      told = { result: notReached(error), trace: null };
    }
    writeWhole(out, told);
    leave(this.runner);
    return LEFT;
  }

  subtest(): void {}
}

export class PlainOverlap implements BodyRunner {
  private readonly plain: PlainRun;
  private readonly overlap: OverlapInTest;
  private readonly runner: RunnerName;

  constructor(job: PlainJob, overlap: OverlapInTest, runner: RunnerName) {
    this.plain = new PlainRun(job);
    this.runner = runner;
    this.overlap = overlap;
  }

  async run(id: CaseId, body: CaseBody): Promise<unknown> {
    const { plan, run } = this.overlap;
    const test = holdAt(plan, id);
    const scenario = heldScenario(plan, '', test, body);
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
  if (isServed(runner)) endSoon();
  else endNow();
}
