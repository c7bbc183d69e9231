/** The file of a test case, with a `node:test` of our own: imported fresh in each run, and one case of it is run alone. */
import nativeTest from 'node:test';
import type { Linker, Namespace } from '../../../monitor/modules/linker.ts';
import type { CaseId } from '../../subjects/job.ts';
import { Collector } from './mini-registry.ts';
import { miniModule, runCollected } from './mini-test.ts';

export class CaseFile {
  private readonly linker: Linker;
  private collector!: Collector;

  /** `linkerOf`: makes a linker with these modules in place of Node's. */
  constructor(linkerOf: (provided: ReadonlyMap<string, Namespace>) => Linker) {
    this.linker = linkerOf(new Map([['node:test', miniModule(() => this.collector, nativeTest)]]));
  }

  /**
   * Runs the hooks around a case, and gives its body to `run`. Throws what they throw, what the file throws, and
   * `NeedsRunner` where only the real runner can run it.
   */
  async run(file: string, target: CaseId, run: (body: () => unknown) => Promise<void>): Promise<void> {
    const collector = new Collector(target);
    this.collector = collector;
    try {
      await this.linker.load(file);
      await this.linker.instance(file).import(file);
      if (collector.refused) throw collector.refused;
      await runCollected(collector, run, nativeTest);
    } catch (error) {
      throw collector.refused ?? error;
    } finally {
      nativeTest.mock.reset();
    }
    if (collector.refused) throw collector.refused;
  }
}
