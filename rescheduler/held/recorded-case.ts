/**
 * Tests as the user's command runs them, natively and one at a time: what they do one behind the other is written down.
 */
import { performance } from 'node:perf_hooks';
import type { Overlapped } from '../../data/overlapped.ts';
import type { RunResult } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import { failureOf } from '../failure.ts';
import type { BodyRunner, CaseBody, RunningCase } from '../runners/adapter.ts';
import { CaseNotes } from '../runners/case-notes.ts';
import type { CaseId, Recipe, RecordJob } from '../subjects/job.ts';
import { withoutAnswer } from '../subjects/no-answer.ts';
import { tellCurrent } from '../subjects/supervisor.ts';
import { listenTo } from './kinds.ts';

export class RecordedOperations implements BodyRunner {
  private readonly job: RecordJob;
  private readonly kind: Overlapped;
  private readonly notes: CaseNotes;
  private free: Promise<unknown> = Promise.resolve();
  /** By test: says that it has subtests, which are tests of their own. */
  private readonly containers = new Map<RunningCase, () => void>();

  constructor(job: RecordJob, kind: Overlapped, runner: RunnerName, recipe?: Recipe) {
    this.job = job;
    this.kind = kind;
    this.notes = new CaseNotes(job, runner, recipe);
  }

  async run(id: CaseId, body: CaseBody, running: RunningCase): Promise<unknown> {
    const before = this.free;
    const turn = Promise.withResolvers<void>();
    this.free = turn.promise;
    await before;
    tellCurrent(this.job.out, { name: id.name, native: true });
    const heard = listenTo(this.kind, id);
    let isContainer = false;
    const leave = (): void => {
      heard.end();
      turn.resolve();
    };
    this.containers.set(running, () => {
      isContainer = true;
      leave();
    });
    const started = performance.now();
    let failed: { readonly error: unknown } | null = null;
    heard.begin();
    try {
      return await body();
    } catch (error) {
      failed = { error };
      throw error;
    } finally {
      this.containers.delete(running);
      if (!isContainer) leave();
      const container = isContainer;
      const todo = running.isTodo();
      const result = resultOf(failed, performance.now() - started);
      const told = { container, todo, result, trace: null, log: heard.log };
      if (!running.isSkipped()) this.notes.write(id, told);
    }
  }

  subtest(running: RunningCase): void {
    this.containers.get(running)?.();
  }
}

function resultOf(failed: { readonly error: unknown } | null, durationMs: number): RunResult {
  const failure = failureOf(failed?.error ?? new Error());
  if (failed) return withoutAnswer('fail', failure, durationMs);
  return { ...withoutAnswer('pass', failure, durationMs), failure: null };
}
