/** Runs one test case again inside a warm worker: fresh modules, the hooks around it, the body in the gate. */
import { type Linker, NotLinkable } from '../../monitor/modules/linker.ts';
import { runtime } from '../../monitor/runtime/index.ts';
import { AROUND_BODY, failureOf, withFailure } from '../failure.ts';
import { surroundAnew } from '../gate/session.ts';
import { overlapIn } from '../held/run.ts';
import { comesForCertain } from '../runners/cleaning.ts';
import { HeldAgainst, type LinkerOf, NeedsRunner, type WarmFile } from '../runners/warm-file.ts';
import { type Executed, executeGated, IN_RUNNER, type Manner } from './execution.ts';
import { leftTicks } from './left-ticks.ts';
import { createUserLinker } from './linker.ts';
import { SubjectError } from './protocol.ts';
import type { CaseRequest, RunReply, UnfitReply } from './worker-protocol.ts';

const MANNER: Manner = { ...IN_RUNNER, countsLater: comesForCertain };

/** The run was given up; what it has left makes this process useless. */
class TakesTooLong extends Error {
  override readonly message = 'the watchdog ended it';
}

export class CaseRerunner {
  private file: WarmFile | null = null;
  private linker: Linker | null = null;
  private readonly fileOf: (linkerOf: LinkerOf) => WarmFile;

  constructor(fileOf: (linkerOf: LinkerOf) => WarmFile) {
    this.fileOf = fileOf;
    leftTicks.watch();
  }

  async run(request: CaseRequest): Promise<RunReply | UnfitReply> {
    try {
      return await this.rerun(request);
    } catch (error) {
      if (error instanceof NotLinkable) return { unfit: error.message, of: 'file' };
      if (error instanceof TakesTooLong) return { unfit: error.message, of: 'run' };
      if (error instanceof NeedsRunner) return { unfit: error.message };
      // Outside of the body: a hook, a parent, the file itself. The real runner tells it better.
      return { unfit: `outside of the test: ${String(error)}` };
    }
  }

  private async rerun(request: CaseRequest): Promise<RunReply> {
    const { entry, target, viaLoaders } = request;
    this.file ??= this.fileOf((provided) => (this.linker = createUserLinker(provided, viaLoaders)));
    const manner = { ...MANNER, firstTurn: this.file.firstTurn };
    let executed: Executed<unknown> | null = null;
    let hooks: unknown;
    // What the file starts as it is loaded is named as in a process that loads it once.
    runtime.beginRun();
    surroundAnew();
    let overlapping: RunReply | null = null;
    try {
      await this.file.run(entry, target, async (body, atOnce = false) => {
        if (request.overlap) {
          overlapping = await overlapIn(target, body, request.overlap, request, async (test) => {
            if (!(await test.release())) throw new TakesTooLong();
          });
          return;
        }
        executed = await executeGated((root) => runtime.runAsBody(root, body), request, {
          ...manner,
          atOnce,
        });
        if (executed.gate.status === 'watchdog') throw new TakesTooLong();
      });
    } catch (error) {
      if (overlapping) return overlapping;
      if (!executed || error instanceof NeedsRunner || error instanceof TakesTooLong) throw error;
      hooks = error;
    }
    if (overlapping) return overlapping;
    const done = executed as Executed<unknown> | null;
    if (!done) throw new SubjectError('the test did not run');
    const passed = done.result.outcome === 'pass';
    const around = hooks === undefined ? done.result.afterwards : aroundBody(hooks);
    return {
      result: passed && around ? withFailure(done.result, around) : done.result,
      trace: done.trace,
      reusable: true,
      viaLoaders: this.linker?.hasOthersText() ?? false,
    };
  }
}

const aroundBody = (error: unknown) => (error instanceof HeldAgainst ? failureOf(error.cause) : AROUND_BODY);
