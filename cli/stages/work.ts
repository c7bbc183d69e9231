/**
 * Stage 3 from a queue in Redis that machines share, each with a copy of the planned store. A job is a test; its key is made of
 * the plan and the test, so that it is there once however many add it. Whoever dies has its job delivered again, and a
 * test that is judged twice is judged alike.
 */
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Job, Queue } from 'bullmq';
import { type AnalysisPlan, type PartialResult, partialResultSchema } from '../../data/plan.ts';
import { UsageError } from '../errors.ts';
import type { PipelineResult } from '../pipeline-api.ts';
import type { StageContext } from './context.ts';
import { mergedResult } from './merged.ts';
import { reportStage } from './report.ts';
import { rescheduleStage } from './reschedule.ts';

interface Work {
  readonly test: string;
}

/** Who was not heard of for so long is dead, ms. */
const LOCK_MS = 15_000;
const LOOK_MS = 5000;
/** However often its machines die, a test is nobody's fault. */
const MOST_DEATHS = 100;
/** What goes wrong on one machine, as a full disk, may go well on another. */
const ATTEMPTS = 3;
/** Between two looks at how far all are, ms. */
const POLL_MS = 300;

export async function workStage(
  context: StageContext,
  plan: AnalysisPlan,
  url: string,
): Promise<PipelineResult> {
  // What a worker leaves half done when its time is over would be the result for all.
  if (context.options.totalTimeMs !== undefined)
    throw new UsageError(
      'unweave work goes on until the plan is done: --max-time bounds each test, not --budget',
    );
  const { Queue, Worker } = await bullmq();
  const how = { connection: { url, maxRetriesPerRequest: null } };
  const queue = new Queue<Work, PartialResult>(`unweave-${plan.hash}`, how);
  try {
    await reach(queue, url);
    const forced = plan.tests.filter(({ orders }) => orders.length > 0).map(({ id }) => id);
    const keys = new Map(forced.map((test) => [test, hash('sha256', `${plan.hash} ${test}`)]));
    await queue.addBulk(
      forced.map((test) => ({
        name: 'test',
        data: { test },
        opts: { jobId: keys.get(test)!, attempts: ATTEMPTS },
      })),
    );
    // Those that others have given up.
    await queue.retryJobs({ state: 'failed' });
    await context.findSubjects();
    const worker = new Worker<Work, PartialResult>(queue.name, ({ data }) => force(context, data.test), {
      ...how,
      ...{ lockDuration: LOCK_MS, stalledInterval: LOOK_MS, maxStalledCount: MOST_DEATHS },
    });
    worker.on('error', () => {});
    try {
      await untilDone(context, queue, forced.length);
    } finally {
      await worker.close(context.signal.aborted);
    }
    const jobs = await Promise.all(forced.map((test) => queue.getJob(keys.get(test)!)));
    const results = [await restOf(context, new Set(forced)), ...jobs.flatMap((job) => resultOf(job) ?? [])];
    return mergedResult(context.store.report(), plan, results, missing(jobs), context.options);
  } finally {
    await queue.close();
  }
}

/** Not every installation has it. */
async function bullmq(): Promise<typeof import('bullmq')> {
  try {
    return await import('bullmq');
  } catch {
    throw new UsageError('a queue needs two packages more: npm install --save-dev bullmq ioredis');
  }
}

/** The first connection is made, or it is an error; one that breaks later is made again. */
async function reach(queue: Queue<Work, PartialResult>, url: string): Promise<void> {
  const failed = once(queue, 'error').then(([error]) => {
    throw new UsageError(
      `${url.replace(/\/\/.*@/, '//')}: ${(error as { code?: string }).code ?? String(error)}`,
    );
  });
  await Promise.race([queue.waitUntilReady(), failed]);
  failed.catch(() => {});
  queue.on('error', () => {});
}

/** One test, as a run that is about nothing else. */
async function force(context: StageContext, test: string): Promise<PartialResult> {
  const started = performance.now();
  context.shard = new Set([test]);
  await rescheduleStage(context);
  const { report, views } = await reportStage(context);
  // It is not done, and somebody else will have it.
  if (context.signal.aborted) await new Promise(() => {});
  const timing = { ...report.timing, rescheduleMs: performance.now() - started };
  return { report: { ...report, timing }, views } as unknown as PartialResult;
}

/** What there is to say of the tests that nobody has to force. */
async function restOf(context: StageContext, forced: ReadonlySet<string>): Promise<PartialResult> {
  context.shard = new Set(context.store.tests().flatMap(({ id }) => (forced.has(id) ? [] : [id])));
  const { report, views } = await reportStage(context);
  return {
    report: { ...report, timing: { ...report.timing, rescheduleMs: 0 } },
    views,
  } as unknown as PartialResult;
}

async function untilDone(context: StageContext, queue: Queue, of: number): Promise<void> {
  while (!context.signal.aborted) {
    const { completed = 0, failed = 0 } = await queue.getJobCounts('completed', 'failed');
    context.tell('forcing by all', undefined, { done: completed, of });
    if (completed + failed >= of) return;
    await sleep(POLL_MS, null, { signal: context.signal }).catch(() => {});
  }
}

const resultOf = (job: Job<Work, PartialResult> | undefined): PartialResult | null => {
  const result = partialResultSchema.safeParse(job?.returnvalue);
  return result.success ? result.data : null;
};

function missing(jobs: readonly (Job<Work, PartialResult> | undefined)[]): string | null {
  const lost = jobs.filter((job) => resultOf(job) === null);
  if (lost.length === 0) return null;
  const why = lost.find((job) => job?.failedReason)?.failedReason;
  return `${lost.length} of ${jobs.length} tests have no result${why ? `: ${why}` : ''}`;
}
