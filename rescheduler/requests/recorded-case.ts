/**
 * Tests as the user's command runs them, natively and one at a time: what they send to servers of their process is written down.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import type { RunnerName } from '../../data/runners.ts';
import { failureOf } from '../failure.ts';
import type { BodyRunner, CaseBody, RunningCase } from '../runners/adapter.ts';
import {
  type CaseId,
  type CaseRecord,
  noteAround,
  ownRecipe,
  type Recipe,
  type RecordJob,
  writeWhole,
} from '../subjects/job.ts';
import { withoutAnswer } from '../subjects/no-answer.ts';
import { noteName, tellCurrent } from '../subjects/supervisor.ts';
import { RequestLog } from './log.ts';

export class RecordedRequests implements BodyRunner {
  private readonly job: RecordJob;
  private readonly runner: RunnerName;
  private readonly recipe: Recipe;
  /** Taken before the program can change its environment. */
  private readonly process = noteAround();
  private free: Promise<unknown> = Promise.resolve();
  /** By test: says that it has subtests, which are tests of their own. */
  private readonly containers = new Map<RunningCase, () => void>();
  private order = 0;

  constructor(job: RecordJob, runner: RunnerName, recipe: Recipe = ownRecipe(job)) {
    this.job = job;
    this.runner = runner;
    this.recipe = recipe;
  }

  async run(id: CaseId, body: CaseBody, running: RunningCase): Promise<unknown> {
    const before = this.free;
    const turn = Promise.withResolvers<void>();
    this.free = turn.promise;
    await before;
    tellCurrent(this.job.out, { name: id.name, native: true });
    const log = new RequestLog();
    let isContainer = false;
    const leave = (): void => {
      log.end();
      turn.resolve();
    };
    this.containers.set(running, () => {
      isContainer = true;
      leave();
    });
    const started = performance.now();
    let failed: { readonly error: unknown } | null = null;
    log.begin();
    try {
      return await body();
    } catch (error) {
      failed = { error };
      throw error;
    } finally {
      this.containers.delete(running);
      if (!isContainer) leave();
      const told = failureOf(failed?.error ?? new Error());
      const result = withoutAnswer(failed ? 'fail' : 'pass', told, performance.now() - started);
      if (!running.isSkipped())
        this.write(id, { ...result, failure: failed ? told : null }, log, isContainer, running.isTodo());
    }
  }

  subtest(running: RunningCase): void {
    this.containers.get(running)?.();
  }

  private write(
    id: CaseId,
    result: CaseRecord['result'],
    log: RequestLog,
    container: boolean,
    todo: boolean,
  ): void {
    const { runner, process: around, recipe } = this;
    const record: CaseRecord = {
      ...{ kind: 'case', runner, id, process: around, recipe, container, todo, result },
      ...{ trace: null, exchanges: log.exchanges, order: this.order++ },
    };
    const key = createHash('sha1')
      .update(JSON.stringify([id, process.pid]))
      .digest('hex')
      .slice(0, 20);
    writeWhole(join(this.job.out, `${noteName(process.pid, key)}.case`), record);
  }
}
