/** Runs of one test case in a process that lasts, without the command line of its runner. */
import type { Linker, Namespace } from '../../monitor/modules/linker.ts';
import type { CaseId } from '../subjects/job.ts';

/** The runner holds an error, its cause, against a body that was content. */
export class HeldAgainst extends Error {
  constructor(error: unknown) {
    super('the runner holds an error against the test', { cause: error });
  }
}

/** The test needs something of the real runner. */
export class NeedsRunner extends Error {}

/** Makes a linker that gives these modules in the place of others. */
export type LinkerOf = (provided: ReadonlyMap<string, Namespace>) => Linker;

/** The file of a test case: imported fresh in each run, and one case of it is run alone. */
export interface WarmFile {
  /** Where in the loop bodies begin. */
  readonly firstTurn: 'before' | 'within';
  /**
   * Runs the hooks around a case, and gives its body to `run`; `atOnce`: see {@link RunningCase}. `entry`: what the process was
   * started with. Throws what they throw, what the file throws, and {@link NeedsRunner} where only the real runner can run it.
   */
  run(
    entry: string,
    target: CaseId,
    run: (body: () => unknown, atOnce?: boolean) => Promise<void>,
  ): Promise<void>;
}
