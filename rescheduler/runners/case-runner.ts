/**
 * Runs the body of one test case inside the gate. There is one gated scope per process, so bodies of
 * concurrent tests take turns. A test that starts a subtest leaves its own scope at that moment: from there
 * on it runs natively and its subtests are test cases of their own.
 */
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Outcome } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import { runtime } from '../../monitor/runtime/index.ts';
import { failureOf, plainFailure, withFailure } from '../failure.ts';
import { native } from '../gate/native.ts';
import { installGate, type Unhandled } from '../gate/session.ts';
import { endNow, endSoon } from '../subjects/end-soon.ts';
import { type Executed, executeGated, IN_RUNNER, type Manner } from '../subjects/execution.ts';
import {
  type CaseId,
  type ForceJob,
  type ForceResult,
  isAmongOthers,
  type Recipe,
  type RecordJob,
  writeWhole,
} from '../subjects/job.ts';
import { beginJournal } from '../subjects/journal.ts';
import { leftTicks } from '../subjects/left-ticks.ts';
import { withoutAnswer } from '../subjects/no-answer.ts';
import { tellCurrent } from '../subjects/supervisor.ts';
import type { BodyRunner, CaseBody, RunningCase } from './adapter.ts';
import { CaseNotes } from './case-notes.ts';
import { comesForCertain } from './cleaning.ts';
import { sameCase } from './identity.ts';

const TWICE = plainFailure('exception', 'RanTwice', 'more than one case ran where one was wanted');

interface RanBody {
  readonly container: boolean;
  /** What the body gives back, or the promise of it. */
  readonly returned: unknown;
}

/** A body that was asked for. */
interface AskedBody {
  /** Once it has been called: it gave back no promise, so natively it is over before anything else. */
  readonly isSync: Promise<boolean>;
  readonly over: Promise<unknown>;
}

export class CaseRunner implements BodyRunner {
  private readonly job: RecordJob | ForceJob;
  private readonly runner: RunnerName;
  private readonly notes: CaseNotes;
  /** Settled when whoever has asked for the scope last is out of it; null: it is free. */
  private taken: Promise<void> | null = null;
  /** Test cases inside the gate → what ends their scope. */
  private readonly leave = new Map<RunningCase, () => void>();
  /** Those that are not over, in the order in which they were asked for. */
  private readonly asked = new Map<number, AskedBody>();
  private count = 0;
  /** How the case ended that this process was started for. */
  private told: Outcome | null = null;

  constructor(job: RecordJob | ForceJob, runner: RunnerName, recipe?: Recipe) {
    this.job = job;
    this.runner = runner;
    this.notes = new CaseNotes(job, runner, recipe);
    installGate();
    leftTicks.watch();
  }

  /** Runs a body; settles as the body does. */
  async run(id: CaseId, body: CaseBody, running: RunningCase): Promise<unknown> {
    if (isAmongOthers(this.job) && !sameCase(id, this.job.target)) return body();
    const nth = ++this.count;
    let began!: (isSync: boolean) => void;
    const isSync = new Promise<boolean>((resolve) => (began = resolve));
    const telling: CaseBody = () => {
      const returned = body();
      began(!(returned instanceof Promise));
      return returned;
    };
    const over = this.runInTurn(id, telling, running);
    this.asked.set(nth, { isSync, over: over.catch(() => {}).then(() => began(false)) });
    try {
      const { container, returned } = await over;
      const value = await returned;
      if (container) await this.behindSubtests(nth);
      return value;
    } finally {
      this.asked.delete(nth);
    }
  }

  /**
   * The runner cancels what a test has started and not waited for, but for what is over at once: those have to wait for their
   * turns here.
   */
  private async behindSubtests(parent: number): Promise<void> {
    const left = [...this.asked].filter(([nth]) => nth > parent);
    for (const [, { isSync, over }] of left) {
      if (!(await isSync)) break;
      await over;
    }
    // The runner hears of them.
    if (left.length > 0) await new Promise<void>((resolve) => void native.setImmediate(resolve));
  }

  private async runInTurn(id: CaseId, body: CaseBody, running: RunningCase): Promise<RanBody> {
    const before = this.taken;
    let release!: () => void;
    const own = new Promise<void>((resolve) => (release = resolve));
    this.taken = own;
    if (before) await before;
    this.tell(id, false);
    let returned: Promise<unknown> | undefined;
    let executed: Executed<unknown>;
    let container = false;
    let overtime = false;
    try {
      const left = new Promise<void>((resolve) => {
        this.leave.set(running, () => {
          container = true;
          resolve();
        });
      });
      executed = await executeGated(
        (root) => {
          returned = start(() => runtime.runAsBody(root, body));
          const over = () => running.bodyIsOver?.();
          returned.then(over, over);
          return Promise.race([returned, left]);
        },
        this.execution(),
        {
          ...IN_RUNNER,
          atOnce: before === null && running.atOnce === true,
          around: { file: id.file, isLoadedAlone: this.runner === 'vitest' || this.runner === 'jest' },
          ...this.manner(() => {
            if (!overtime) this.tell(id, true);
            overtime = true;
            return !running.isOver();
          }),
        },
      );
      const against = executed.result.outcome === 'pass' ? running.heldAgainst?.() : undefined;
      const result =
        against === undefined ? executed.result : withFailure(executed.result, failureOf(against));
      // One that says in its middle that it is not to be run has no verdict.
      if (!running.isSkipped())
        this.write(
          id,
          { ...executed, result: overtime ? { ...result, overtime } : result },
          container,
          running.isTodo(),
        );
      if (executed.afterwards) leave(executed.afterwards);
    } finally {
      this.leave.delete(running);
      if (this.taken === own) this.taken = null;
      release();
    }
    // Where the gate gave up, the test goes on as it would have without us: a time-out is the runner's to say.
    const { status } = executed.gate;
    if (status === 'watchdog') this.tell(id, true);
    if (container || status === 'watchdog') return { container, returned };
    if (status === 'deadlock') {
      if (this.job.mode === 'record') return { container, returned };
      throw new Error(`deadlock: ${executed.result.waits.join('; ')}`);
    }
    if (executed.result.outcome !== 'pass') throw executed.error;
    return { container, returned: executed.value };
  }

  /** A subtest of a running case is about to be registered. */
  subtest(running: RunningCase): void {
    this.leave.get(running)?.();
  }

  /**
   * A test case that runs alone begins before the loop does, unless a hook has waited for something. Beside others it
   * may begin anywhere: that says nothing about itself.
   */
  private firstTurn(): 'before' | 'within' {
    return this.job.mode === 'force' && performance.nodeTiming.loopStart >= 0 ? 'within' : 'before';
  }

  /** In the user's own command a test takes as long as it takes, unless its runner gives it up. */
  private manner(goesOn: () => boolean): Partial<Manner> {
    const { job } = this;
    const firstTurn = this.firstTurn();
    if (job.mode === 'record')
      return { trapExit: false, firstTurn, countsLater: comesForCertain, goesOn, handsOver: true };
    return { trapExit: true, firstTurn, countsLater: comesForCertain, journal: beginJournal(job.out) };
  }

  private execution() {
    if (this.job.mode === 'force') return this.job.execution;
    const { limits } = this.job;
    return { spec: { kind: 'observed' }, limits, wantChoices: false, record: true } as const;
  }

  /** Whoever runs the command is told what runs, and whether the gate has it. */
  private tell({ name }: CaseId, native: boolean): void {
    if (this.job.mode === 'record') tellCurrent(this.job.out, { name, native });
  }

  private write(id: CaseId, { result, trace }: Executed<unknown>, container: boolean, todo: boolean): void {
    if (this.job.mode === 'force') {
      // Whichever process had the other one: what is told of the two is told of no case. What has failed may be tried again.
      const isOnly = this.told === null ? !existsSync(this.job.out) : this.told !== 'pass';
      this.told = result.outcome;
      const told = isOnly ? { result, trace } : { result: withoutAnswer('unknown', TWICE, 0), trace: null };
      writeWhole(this.job.out, told satisfies ForceResult);
      // What comes behind it, and how its process ends, is no matter any more.
      if (isAmongOthers(this.job)) endNow();
      if (result.outcome !== 'pass') endSoon();
      return;
    }
    this.notes.write(id, { container, todo, result, trace: trace! });
  }
}

/** What a test left unhandled is the runner's to tell, unless somebody handles it after all. */
function leave({ error, origin, promise }: Unhandled): void {
  let handled = false;
  const hear = (which: unknown): void => {
    handled ||= which === promise;
  };
  process.on('rejectionHandled', hear);
  setImmediate(() => {
    process.off('rejectionHandled', hear);
    if (handled) return;
    if (origin === 'exception') throw error;
    void Promise.reject(error);
  });
}

function start(body: CaseBody): Promise<unknown> {
  try {
    return Promise.resolve(body());
  } catch (error) {
    return Promise.reject(error);
  }
}
