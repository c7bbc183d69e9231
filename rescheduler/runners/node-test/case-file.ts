/** The file of a test case, with a `node:test` of our own: imported fresh in each run, and one case of it is run alone. */
import nativeTest from 'node:test';
import type { Linker } from '../../../monitor/modules/linker.ts';
import type { CaseId } from '../../subjects/job.ts';
import type { LinkerOf, WarmFile } from '../warm-file.ts';
import { Collector } from './mini-registry.ts';
import { miniModule, runCollected } from './mini-test.ts';

export class CaseFile implements WarmFile {
  readonly firstTurn = 'before';
  private readonly linker: Linker;
  private collector!: Collector;

  /** `linkerOf`: makes a linker with these modules in place of Node's. */
  constructor(linkerOf: LinkerOf) {
    this.linker = linkerOf(new Map([['node:test', miniModule(() => this.collector, nativeTest)]]));
  }

  async run(file: string, target: CaseId, run: (body: () => unknown) => Promise<void>): Promise<void> {
    process.argv[1] = file;
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
