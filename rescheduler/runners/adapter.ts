/** The seam at which test runners are told apart: one folder for each, and one entry in `install.ts`. */
import type { RunnerName } from '../../data/runners.ts';
import type { CaseId, Job } from '../subjects/job.ts';

export type CaseBody = () => unknown;

/** A test case while its runner runs it. */
export interface RunningCase {
  /** The runner has given it up: nobody waits for its body any more. */
  isOver(): boolean;
  /** The runner does not mind when it fails. */
  isTodo(): boolean;
  /** It has said that it is not to be run. */
  isSkipped(): boolean;
  /** It is called in a callback of the loop, behind which comes what hooks have left to its ticks and microtasks. */
  readonly atOnce?: boolean;
  /** An error that the runner holds against the body though that was content, as where a snapshot differs; undefined: none. */
  heldAgainst?(): unknown;
  /** Its body is over, but what it has left behind is yet to be carried out. */
  bodyIsOver?(): void;
}

/** Runs bodies of test cases. */
export interface BodyRunner {
  /** Runs a body; settles as the body does. */
  run(id: CaseId, body: CaseBody, running: RunningCase): Promise<unknown>;
  /** A subtest of a running case is about to be registered. */
  subtest(running: RunningCase): void;
}

/** A test runner within the processes of the user's command. */
export interface RunnerAdapter {
  readonly name: RunnerName;
  /**
   * Called in each process of the command before its program is loaded. Where the process runs tests of this runner, the
   * body of each is to be given to the {@link bodyRunnerOf} the job, under an id that is the same in every run; a job with
   * a target lets only that case run, and what stands around it. Returns what can be asked when the process ends.
   */
  install(job: Job): Taken;
}

/** What a runner has done in a process, as far as is known when that ends. */
export interface Taken {
  /** Tests were registered. */
  hasTests(): boolean;
  /** It has counted a failure which the exit code may not tell yet: a test, or a hook. */
  hasFailed(): boolean;
  /** This is the process of its command, and others run the tests. */
  readonly runsElsewhere?: boolean;
  /** So many of its tests were not begun, which nobody has left out; absent: not known. */
  notRun?(): number;
}

/** Of a process in which the runner takes no part. */
export const NOTHING: Taken = { hasTests: () => false, hasFailed: () => false };
