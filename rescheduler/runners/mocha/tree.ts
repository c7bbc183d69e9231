/** The tree of suites and tests that Mocha's files register. */
import type { CaseId } from '../../subjects/job.ts';
import { Identities } from '../identity.ts';
import type { MochaRunnable, MochaRunner, MochaSuite } from './api.ts';

/** Whether Mocha passes a test over. */
export const isPending = (test: MochaRunnable): boolean => test.isPending?.() ?? test.pending === true;

/** Leaves of a suite what is wanted, and what stands around it. */
export function prune(suite: MochaSuite, isWanted: (test: MochaRunnable) => boolean): void {
  suite.tests = suite.tests.filter(isWanted);
  for (const inner of suite.suites) prune(inner, isWanted);
  suite.suites = suite.suites.filter((inner) => inner.total() > 0);
}

/**
 * How many tests of a run have not begun so far: what ends a process ends Mocha, too, as does an error of a test that has passed.
 * To be made before the run: what `only` leaves out is gone with it, and what a test registers Mocha does not run.
 */
export class Unbegun {
  private readonly runner: MochaRunner;
  private readonly registered = new Set<MochaRunnable>();

  constructor(runner: MochaRunner) {
    this.runner = runner;
    runner.suite.eachTest((test) => void this.registered.add(test));
  }

  get count(): number {
    const { registered } = this;
    const { suite, total } = this.runner;
    let left = 0;
    let begun = 0;
    suite.eachTest((test) => {
      if (!registered.has(test)) return;
      left += 1;
      if (test.state !== undefined || isPending(test)) begun += 1;
    });
    if (total === registered.size) return left - begun;
    // A pattern has chosen among them; of those that are skipped others count, too. With `only` besides nobody knows how many of these it means.
    return left === registered.size ? Math.max(0, total - begun) : 0;
  }
}

/** Which test is which: by file, titles, and the place among those of the same titles, as they were registered. */
export class Names {
  private readonly identities = new Identities();
  private readonly ids = new WeakMap<MochaRunnable, CaseId>();

  of(given: MochaRunnable): CaseId {
    const test = given.retriedTest?.() ?? given;
    const known = this.ids.get(test);
    if (known) return known;
    const fullName = this.identities.fullName(test.title, this.titleOf(test.parent));
    const id = this.identities.register(test.file ?? '', fullName);
    this.ids.set(test, id);
    return id;
  }

  private titleOf(suite: MochaSuite | undefined): string | undefined {
    if (!suite || suite.root) return undefined;
    return this.identities.fullName(suite.title, this.titleOf(suite.parent));
  }
}
