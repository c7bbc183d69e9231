/**
 * Takes the bodies of Mocha's tests. Mocha itself, its hooks, reporters and time-outs stay as they are: only `run` of a
 * test and `run` of the runner are wrapped, which every version has.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { passesRejectionsOn } from '../../gate/errors.ts';
import { type CaseId, type Job, leaveChildrenAlone } from '../../subjects/job.ts';
import type { BodyRunner, Taken } from '../adapter.ts';
import { bodyRunnerOf } from '../body-runner.ts';
import { cleans } from '../cleaning.ts';
import { Identities, sameCase } from '../identity.ts';
import type { MochaClass, MochaRunnable, MochaRunner, MochaSuite } from './api.ts';
import { bodyIn } from './body.ts';

export function takePart({ prototype, Runnable, Runner }: MochaClass, job: Job): Taken {
  const names = new Names();
  const bodies: BodyRunner = bodyRunnerOf(job, 'mocha');
  const target = job.mode === 'record' ? null : job.target;
  const runners: MochaRunner[] = [];
  // Hooks may take back what a test has left: that it goes unhandled later is not certain.
  cleans();
  serialise(prototype);

  const { run: runAll } = Runner.prototype;
  Runner.prototype.run = function (...args) {
    this.suite.eachTest((test) => void names.of(test));
    leaveChildrenAlone(job);
    runners.push(this);
    if (this.unhandled) passesRejectionsOn(this.unhandled);
    if (target) prune(this.suite, (test) => sameCase(names.of(test), target));
    return Reflect.apply(runAll, this, args);
  };

  const { run } = Runnable.prototype;
  Runnable.prototype.run = function (done) {
    const { fn } = this;
    if (this.type !== 'test' || typeof fn !== 'function' || this.isPending()) return run.call(this, done);
    const id = names.of(this);
    // One that `only` has brought back.
    if (target && !sameCase(id, target)) return done();
    this.fn = bodyIn(bodies, this, id, fn);
    // A body may tell its end from within, as `this.skip()` does: what follows is not part of it.
    const outside = AsyncLocalStorage.snapshot();
    return run.call(this, (error) => {
      this.fn = fn;
      outside(done, error);
    });
  };
  return {
    hasTests: () => runners.some(({ total }) => total > 0),
    hasFailed: () => runners.some(({ failures }) => failures > 0),
  };
}

/** Files one after the other in this process, where they are told apart; a worker could not be started again alone. */
function serialise(prototype: MochaClass['prototype']): void {
  if (!prototype.parallelMode) return;
  prototype.parallelMode = function (this: unknown) {
    return this;
  };
}

/** Leaves of a suite what is wanted, and what stands around it. */
function prune(suite: MochaSuite, isWanted: (test: MochaRunnable) => boolean): void {
  suite.tests = suite.tests.filter(isWanted);
  for (const inner of suite.suites) prune(inner, isWanted);
  suite.suites = suite.suites.filter((inner) => inner.total() > 0);
}

/** Which test is which: by file, titles, and the place among those of the same titles, as they were registered. */
class Names {
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
