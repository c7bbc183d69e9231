/** Runs one test case again inside a warm worker: fresh modules, the hooks around it, the body in the gate. */
import nativeTest from 'node:test';
import { type Linker, type Namespace, NotLinkable } from '../../monitor/modules/linker.ts';
import { runtime } from '../../monitor/runtime/index.ts';
import { AROUND_BODY, withFailure } from '../failure.ts';
import { type Executed, executeGated, IN_RUNNER } from './execution.ts';
import { createUserLinker } from './linker.ts';
import { Collector, NeedsRunner } from './mini-registry.ts';
import { miniModule, runCollected } from './mini-test.ts';
import { SubjectError } from './protocol.ts';
import type { CaseRequest, RunReply, UnfitReply } from './worker-protocol.ts';

export class CaseRerunner {
  private readonly linker: Linker;
  private collector!: Collector;

  constructor() {
    const mini: Namespace = miniModule(() => this.collector, nativeTest);
    this.linker = createUserLinker(new Map([['node:test', mini]]));
  }

  async run(request: CaseRequest): Promise<RunReply | UnfitReply> {
    try {
      const reply = await this.rerun(request);
      const { refused } = this.collector;
      if (refused) throw refused;
      return reply;
    } catch (error) {
      if (error instanceof NeedsRunner || error instanceof NotLinkable) return { unfit: error.message };
      // Outside of the body: a hook, a parent, the file itself. The real runner tells it better.
      return { unfit: `outside of the test: ${String(error)}` };
    } finally {
      nativeTest.mock.reset();
    }
  }

  private async rerun(request: CaseRequest): Promise<RunReply> {
    const { entry, target } = request;
    const collector = new Collector(target);
    this.collector = collector;
    process.argv[1] = entry;
    await this.linker.load(entry);
    await this.linker.instance(entry).import(entry);
    if (collector.refused) throw collector.refused;
    let executed: Executed<unknown> | null = null;
    let hooks: unknown;
    try {
      await runCollected(
        collector,
        async (body) => {
          executed = await executeGated((root) => runtime.runAsBody(root, body), request, IN_RUNNER);
          if (executed.gate.status === 'watchdog') throw new NeedsRunner('the watchdog ended it');
        },
        nativeTest,
      );
    } catch (error) {
      if (!executed || error instanceof NeedsRunner) throw error;
      hooks = error;
    }
    const done = executed as Executed<unknown> | null;
    if (!done) throw new SubjectError('the test did not run');
    const failed = hooks !== undefined && done.result.outcome === 'pass';
    return {
      result: failed ? withFailure(done.result, AROUND_BODY) : done.result,
      trace: done.trace,
      reusable: true,
    };
  }
}
