/** Runs one test case of a program with workers of its own, again and again: its hooks, and its body under the gate. */
import nativeTest from 'node:test';
import type { Failure } from '../../../data/run.ts';
import type { Linker, Namespace } from '../../../monitor/modules/linker.ts';
import { failureOf } from '../../failure.ts';
import { IN_RUNNER } from '../../subjects/execution.ts';
import type { CaseId } from '../../subjects/job.ts';
import { Collector, NeedsRunner } from '../../subjects/mini-registry.ts';
import { miniModule, runCollected } from '../../subjects/mini-test.ts';
import type { GatedPart } from './gated-part.ts';

export class WarmCases {
  readonly provided: ReadonlyMap<string, Namespace>;
  linker!: Linker;
  private collector!: Collector;

  constructor() {
    this.provided = new Map([['node:test', miniModule(() => this.collector, nativeTest)]]);
  }

  /** How the body failed; null: it passed. Throws where the runner is needed, and what hooks throw. */
  async run(file: string, target: CaseId, part: GatedPart): Promise<Failure | null> {
    const collector = new Collector(target);
    this.collector = collector;
    let failure: Failure | null = null;
    try {
      await this.linker.instance(file).import(file);
      if (collector.refused) throw collector.refused;
      let hasRun = false;
      const body = async (test: () => unknown): Promise<void> => {
        hasRun = true;
        // A test is called in a microtask: what it leaves to microtasks comes before its first ticks.
        const ran = await part.run(() => Promise.resolve().then(test), IN_RUNNER);
        if (ran.status !== 'ok') failure = failureOf(ran.error);
      };
      await runCollected(collector, body, nativeTest);
      if (collector.refused) throw collector.refused;
      if (!hasRun) throw new NeedsRunner('the test did not run');
      return failure;
    } finally {
      nativeTest.mock.reset();
    }
  }
}
