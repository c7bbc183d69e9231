/** Vitest's own runner, or the user's, with the bodies of tests in our hands. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { readFramesBy } from '../../../monitor/record/call-site.ts';
import { installGate } from '../../gate/session.ts';
import {
  type CaseId,
  type EntriesRecord,
  type Job,
  leaveChildrenAlone,
  onlyCase,
  type Recipe,
  writeWhole,
} from '../../subjects/job.ts';
import type { BodyRunner, RunningCase } from '../adapter.ts';
import { bodyRunnerOf } from '../body-runner.ts';
import { cleans } from '../cleaning.ts';
import { Identities, sameCase } from '../identity.ts';
import type { Serving } from '../serving.ts';
import type { Vi, VitestFile, VitestSuite, VitestTask, VitestTest } from './api.ts';
import { framesOf } from './frames.ts';
import {
  callTest,
  forgetModules,
  forgetSources,
  gateWaiting,
  lastingCalls,
  outsideOfGate,
  type WorkerState,
} from './outside.ts';

export type GetTestFn = (test: VitestTest) => () => unknown;
interface Runner {
  readonly workerState?: WorkerState;
  runTask?(test: VitestTest): unknown;
  onCollected?(files: VitestFile[]): unknown;
  onAfterRunFiles?(files: VitestFile[]): unknown;
}
/** Runs files with a runner. Of Vitest before 4.0.7, whose workers keep the list of their files to themselves. */
export type StartTests = (files: readonly unknown[], runner: Runner) => Promise<VitestFile[]>;

/** In a process in which one file is run again and again. */
interface Served {
  readonly serving: Serving;
  readonly vi: Vi;
  readonly startTests: StartTests | undefined;
}

export type RunnerClass = new (...args: any[]) => Runner;

/** One per process: it brings the gate, and numbers what it records. */
let bodies: BodyRunner | null = null;

export function runnerFrom(
  base: RunnerClass,
  testFn: GetTestFn,
  job: Job,
  recipe: Recipe,
  served: Served | null,
): RunnerClass {
  const target = onlyCase(job);
  return class extends base {
    private readonly failed = new WeakSet<VitestTest>();
    private readonly ids = new WeakMap<VitestTest, CaseId>();
    /** The target was among what was collected. */
    private isHere = false;
    private isRepeating = false;

    constructor(...args: any[]) {
      super(...args);
      // Hooks may take back what a test has left.
      cleans();
      // Vitest has taken its timers by now.
      bodies ??= begin(job, recipe, served);
      if (served && this.workerState) lastingCalls(this.workerState);
      if (this.workerState && job.mode !== 'plain') outsideOfGate(this.workerState);
    }

    override async onCollected(files: VitestFile[]): Promise<void> {
      await super.onCollected?.(files);
      for (const file of files) {
        const names = new Identities();
        for (const { test, name } of testsOf(
          file,
          file.projectName ? `|${file.projectName}|` : undefined,
          names,
        ))
          this.ids.set(test, names.register(file.filepath, name));
        const isTarget = (wanted: CaseId | null) => (test: VitestTest) =>
          wanted !== null && sameCase(this.ids.get(test)!, wanted);
        this.isHere ||= someTest(file, isTarget(target));
        if (target) leaveOnly(file, isTarget(served ? served.serving.file.target : target));
      }
    }

    override runTask(test: VitestTest): unknown {
      const call = () => (super.runTask ? super.runTask(test) : testFn(test)());
      const body = () => callTest(call, test.timeout);
      const id = this.ids.get(test);
      return id ? this.watched(test, bodies!.run(id, body, running(test))) : body();
    }

    override async onAfterRunFiles(files: VitestFile[]): Promise<void> {
      await super.onAfterRunFiles?.(files);
      if (served && !this.isRepeating) await this.again(files, served);
      if (job.mode !== 'record') return;
      for (const file of files) {
        const why = reasonOf(file, (test) => !this.failed.has(test));
        const record: EntriesRecord = { recipe, files: [file.filepath], why: why ?? '' };
        if (why !== null) writeWhole(join(job.out, `${randomUUID()}.entries`), record);
      }
    }

    /** Has the worker run its file once more, as the next file, when somebody asks for it. */
    private async again(files: VitestFile[], { serving, startTests, vi }: Served): Promise<void> {
      const { workerState } = this;
      if (!workerState || !this.isHere) return serving.leave();
      serving.begin();
      await this.asked(files, serving, vi);
      const { ctx } = workerState;
      if (!startTests) {
        forgetSources(workerState);
        ctx.files.push(ctx.files[0]);
        return;
      }
      this.isRepeating = true;
      for (;;) {
        forgetModules(workerState, vi);
        await this.asked(await startTests([ctx.files[0]], this), serving, vi);
      }
    }

    /** Tells how the file went, with nothing left of it that is known; somebody asks for the next run. */
    private async asked(files: VitestFile[], serving: Serving, vi: Vi): Promise<void> {
      vi.useRealTimers();
      vi.unstubAllEnvs();
      vi.unstubAllGlobals();
      const failed = files.map((file) => reasonOf(file, () => true)).find((why) => why !== null);
      await serving.file.next(failed ?? null);
    }

    private async watched(test: VitestTest, body: Promise<unknown>): Promise<unknown> {
      try {
        return await body;
      } catch (error) {
        this.failed.add(test);
        throw error;
      }
    }
  };
}

/** Why a file fails beyond the bodies of its tests, in one line; null: it does not. */
function reasonOf(suite: VitestSuite, isUntold: (test: VitestTest) => boolean): string | null {
  const said = ({ name, result }: VitestTask) =>
    `'${name}' fails outside of its test cases: ${result?.errors?.[0]?.message ?? ''}`;
  if (suite.result?.errors?.length) return said(suite);
  for (const task of suite.tasks) {
    if (task.type === 'suite') {
      const inner = reasonOf(task, isUntold);
      if (inner !== null) return inner;
    } else if (task.result?.state === 'fail' && isUntold(task)) return said(task);
  }
  return null;
}

function begin(job: Job, recipe: Recipe, served: Served | null): BodyRunner {
  readFramesBy(framesOf(Error.prepareStackTrace));
  if (served) installGate();
  const runner = served ? served.serving.file.bodies : bodyRunnerOf(job, 'vitest', recipe);
  if (job.mode !== 'plain') gateWaiting();
  leaveChildrenAlone(job);
  return runner;
}

function running(test: VitestTest): RunningCase {
  const errors = () => test.result?.errors ?? [];
  const before = errors().length;
  return {
    isOver: () => test.context.signal?.aborted === true,
    // That it fails is what is expected of it.
    isTodo: () => test.fails === true,
    isSkipped: () => test.result?.pending === true || test.pending === true,
    // Those of `expect.soft`, which does not throw.
    heldAgainst: () => errors()[before],
  };
}

function* testsOf(
  suite: VitestSuite,
  around: string | undefined,
  names: Identities,
): Generator<{ test: VitestTest; name: string }> {
  for (const task of suite.tasks) {
    const name = names.fullName(task.name, around);
    if (task.type === 'test') yield { test: task, name };
    else yield* testsOf(task, name, names);
  }
}

const someTest = (suite: VitestSuite, is: (test: VitestTest) => boolean): boolean =>
  suite.tasks.some((task) => (task.type === 'test' ? is(task) : someTest(task, is)));

/** Of what is in a suite only the wanted test runs, once, and what stands around it. */
function leaveOnly(suite: VitestSuite, isWanted: (test: VitestTest) => boolean): boolean {
  let any = false;
  for (const task of suite.tasks) {
    const wanted = task.type === 'test' ? isWanted(task) : leaveOnly(task, isWanted);
    any ||= wanted;
    if (!wanted) task.mode = 'skip';
    else if (task.type === 'test') once(task);
  }
  if (!any) suite.mode = 'skip';
  return any;
}

/** The first run is the one that is judged. */
function once(test: VitestTest): void {
  test.retry = 0;
  test.repeats = 0;
}

export type { VitestTask };
