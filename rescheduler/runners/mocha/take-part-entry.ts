/**
 * Takes the bodies of Mocha's tests. Mocha itself, its hooks, reporters and time-outs stay as they are: only `run` of a
 * test and `run` of the runner are wrapped, which every version has.
 */
import { isAmongOthers, type Job, leaveChildrenAlone, onlyCase } from '../../subjects/job.ts';
import type { BodyRunner, Taken } from '../adapter.ts';
import { bodyRunnerOf } from '../body-runner.ts';
import { cleans } from '../cleaning.ts';
import { sameCase } from '../identity.ts';
import type { MochaClass, MochaRunner } from './api.ts';
import { takeBodies } from './bodies.ts';
import { bodyIn } from './body.ts';
import { hearsRejections } from './rejections.ts';
import { Names, prune, Unbegun } from './tree.ts';

export function takePart(mocha: MochaClass, job: Job): Taken {
  const { prototype, Runner } = mocha;
  const names = new Names();
  const bodies: BodyRunner = bodyRunnerOf(job, 'mocha');
  const target = onlyCase(job);
  const runners: MochaRunner[] = [];
  const unbegun: Unbegun[] = [];
  // Hooks may take back what a test has left: that it goes unhandled later is not certain.
  cleans();
  serialise(prototype);

  const { run: runAll } = Runner.prototype;
  Runner.prototype.run = function (...args) {
    this.suite.eachTest((test) => void names.of(test));
    leaveChildrenAlone(job);
    runners.push(this);
    unbegun.push(new Unbegun(this));
    hearsRejections(this);
    if (target) prune(this.suite, (test) => sameCase(names.of(test), target));
    else if (isAmongOthers(job)) prune(this.suite, (test) => names.of(test).file === job.target.file);
    return Reflect.apply(runAll, this, args);
  };

  takeBodies(mocha, (test, fn) => {
    const id = names.of(test);
    // One that `only` has brought back is not the target.
    return target && !sameCase(id, target) ? null : bodyIn(bodies, test, id, fn);
  });
  return {
    hasTests: () => runners.some(({ total }) => total > 0),
    hasFailed: () => runners.some(({ failures }) => failures > 0),
    notRun: () => unbegun.reduce((all, { count }) => all + count, 0),
  };
}

/** Files one after the other in this process, where they are told apart; a worker could not be started again alone. */
function serialise(prototype: MochaClass['prototype']): void {
  if (!prototype.parallelMode) return;
  prototype.parallelMode = function (this: unknown) {
    return this;
  };
}
