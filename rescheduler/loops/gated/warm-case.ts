/** Runs one test case of a program with workers of its own, again and again: its hooks, and its body under the gate. */
import type { Failure } from '../../../data/run.ts';
import type { ThreadLoader } from '../../../monitor/threads/load.ts';
import { failureOf } from '../../failure.ts';
import { CaseFile } from '../../runners/node-test/case-file.ts';
import { NeedsRunner } from '../../runners/warm-file.ts';
import { IN_RUNNER } from '../../subjects/execution.ts';
import type { CaseId } from '../../subjects/job.ts';
import { threadLinker } from '../../tokens/linker.ts';
import type { GatedPart } from './gated-part.ts';

export class WarmProgramCase {
  private readonly file: CaseFile;

  constructor(loader: ThreadLoader) {
    this.file = new CaseFile((provided) => threadLinker(loader, provided));
  }

  /** How the body failed; null: it passed. Throws where the runner is needed, and what hooks throw. */
  async run(file: string, target: CaseId, part: GatedPart): Promise<Failure | null> {
    let hasRun = false;
    let failure: Failure | null = null;
    await this.file.run(file, target, async (body) => {
      hasRun = true;
      // A test is called in a microtask: what it leaves to microtasks comes before its first ticks.
      const { error, status } = await part.run(() => Promise.resolve().then(body), IN_RUNNER);
      if (status !== 'ok') failure = failureOf(error);
    });
    if (!hasRun) throw new NeedsRunner('the test did not run');
    return failure;
  }
}
