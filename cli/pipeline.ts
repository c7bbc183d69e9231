/**
 * The pipeline. Each stage reads from the store what the one before wrote, so that each can run alone, and
 * a killed command is continued by the next one on the same store.
 *
 *   1 monitor      run every test once, recorded            → traces
 *   2 predict      cut points and schedules from the traces → schedules
 *   3 reschedule   force each schedule, confirm failures    → verdicts, bugs
 *   4 report       what the store now says
 *
 * Scenarios, of which there are many, go through 1 to 3 one by one, when their turn comes in 3.
 */
import { resolve } from 'node:path';
import type { Shard } from '../data/plan.ts';
import { lockStore, openStore, type Store } from '../data/store/index.ts';
import { UsageError } from './errors.ts';
import type { RunOptions } from './options.ts';
import type { Pipeline, PipelineResult } from './pipeline-api.ts';
import { StageContext, toCommand } from './stages/context.ts';
import { explainStage } from './stages/explain.ts';
import { exportStage } from './stages/export.ts';
import { inspect } from './stages/inspect.ts';
import { isLater, recordedLater } from './stages/later.ts';
import { list } from './stages/list.ts';
import { lockModules } from './stages/locks.ts';
import { merge } from './stages/merge.ts';
import { brokenStage, monitorStage } from './stages/monitor.ts';
import { forgetPlan, keepPlan, keepShard, takePlan, takeShard } from './stages/plan.ts';
import { loopOf, predictStage } from './stages/predict.ts';
import { replayStage } from './stages/replay.ts';
import { replayFile } from './stages/replay-file.ts';
import { reportStage } from './stages/report.ts';
import { rescheduleStage } from './stages/reschedule.ts';
import { workStage } from './stages/work.ts';

export const runPipeline: Pipeline['runPipeline'] = (options, signal) =>
  options.shard ? runShard(options, options.shard, signal) : runWhole(options, signal);

const runWhole: Pipeline['runPipeline'] = (options, signal) =>
  withContext(openForWriting, options, signal, async (context) => {
    if (options.list) return list(context);
    await monitorStage(context, isLater);
    await predictStage(context);
    await rescheduleStage(context, recordedLater(context));
    await brokenStage(context);
    return reportStage(context);
  });

export const explainCase: Pipeline['explainCase'] = (wanted, options, signal) =>
  withContext(openAnew, options, signal, (context) => explainStage(context, wanted));

/** Stages 1 and 2, once for all machines that share the rest. */
export const planOnly: Pipeline['planOnly'] = (options, signal) =>
  withContext(openForWriting, options, signal, async (context) => {
    forgetPlan(context.store);
    await monitorStage(context);
    await brokenStage(context);
    await predictStage(context);
    const result = await reportStage(context);
    if (context.over || result.report.tests.length === 0) return result;
    const notices = [...(result.views.notices ?? []), keepPlan(context)];
    return { ...result, views: { ...result.views, notices }, exitCode: 0 };
  });

/** Stage 3 of a part of the tests that were planned. */
const runShard = (options: RunOptions, shard: Shard, signal: AbortSignal): Promise<PipelineResult> =>
  withContext(openExclusively, options, signal, async (context) => {
    const plan = takeShard(context, shard);
    await context.findSubjects();
    await rescheduleStage(context);
    const result = await reportStage(context);
    if (!signal.aborted) keepShard(context, plan, shard, result);
    return result;
  });

/** Stage 3 of whatever is left in a queue that machines share. */
export const workOnly: Pipeline['workOnly'] = (options, signal) =>
  withContext(openExclusively, options, signal, async (context) => {
    if (options.redis === null) throw new UsageError('unweave work needs --redis <url>');
    return workStage(context, takePlan(context), options.redis);
  });

export const mergeShards: Pipeline['mergeShards'] = async (files, isPartial, options) =>
  merge(files, isPartial, options);

export const monitorOnly: Pipeline['monitorOnly'] = (options, signal) =>
  withContext(openForWriting, options, signal, async (context) => {
    await monitorStage(context);
    await brokenStage(context);
    return reportStage(context);
  });

export const predictOnly: Pipeline['predictOnly'] = (options, signal) =>
  withContext(openExclusively, options, signal, async (context) => {
    await predictStage(context);
    return reportStage(context);
  });

export const rescheduleOnly: Pipeline['rescheduleOnly'] = (options, signal) =>
  withContext(openExclusively, options, signal, async (context) => {
    context.lookAsRecorded();
    await context.findSubjects();
    await rescheduleStage(context);
    return reportStage(context);
  });

export const reportStored: Pipeline['reportStored'] = (options, signal) =>
  withContext(openForReading, options, signal, (context) => reportStage(context));

export const replayBug: Pipeline['replayBug'] = (id, options, signal) =>
  withContext(openExisting, options, signal, (context) => replayStage(context, id));

export const replayOrder: Pipeline['replayOrder'] = async (file, options, signal) =>
  replayFile(file, options, signal);

export const exportBug: Pipeline['exportBug'] = (id, out, options, signal) =>
  withContext(openForReading, options, signal, async (context) => exportStage(context, id, out));

export const inspectStore: Pipeline['inspectStore'] = async (filters, options) => {
  using store = openForReading(options).store;
  return inspect(store, filters, loopOf(options).loop);
};

/** A store together with the right to write it. */
interface Opened {
  readonly store: Store;
  readonly release: () => void;
}

type OpenAnalysis = (options: RunOptions) => Opened;

/** The same analysis, where it was left; another one, or a finished one, starts anew. */
function openForWriting(options: RunOptions): Opened {
  const { cwd, target } = options;
  const command = target ? toCommand(target) : null;
  const file = resolve(cwd, options.store);
  return exclusively(openStore(file, { create: true, command, cwd }), file, (store) => {
    // Looking at what would be run costs nothing that is known.
    if (options.list) return;
    const same = command === null || JSON.stringify(store.meta.command) === JSON.stringify(command);
    const unfinished = store.tests().some((test) => !test.finished);
    if (!same || (!unfinished && options.changed === null)) store.clear();
    if (!unfinished) store.forgetTiming();
    if (command) store.setCommand(command);
    store.beginProcess('pipeline');
  });
}

/** Whatever was there before. */
function openAnew(options: RunOptions): Opened {
  const opened = openForWriting(options);
  opened.store.clear();
  if (options.target) opened.store.setCommand(toCommand(options.target));
  return opened;
}

function openExclusively(options: RunOptions): Opened {
  const file = resolve(options.cwd, options.store);
  return exclusively(openStore(file), file, () => {});
}

/** For commands that add what no other command writes. */
function openExisting(options: RunOptions): Opened {
  return { store: openStore(resolve(options.cwd, options.store)), release() {} };
}

/** For commands that only look. */
function openForReading(options: RunOptions): Opened {
  return { store: openStore(resolve(options.cwd, options.store), { readonly: true }), release() {} };
}

/** Prepares a store that no other command writes meanwhile. */
function exclusively(store: Store, file: string, prepare: (store: Store) => void): Opened {
  try {
    const lock = lockStore(file, store.path);
    prepare(store);
    return { store, release: lock.release };
  } catch (error) {
    store.close();
    throw error;
  }
}

async function withContext<T>(
  open: OpenAnalysis,
  options: RunOptions,
  signal: AbortSignal,
  work: (context: StageContext) => Promise<T>,
): Promise<T> {
  const locks = await lockModules(options.locks, options.cwd);
  const { store, release } = open(options);
  const context = new StageContext({ ...options, locks }, store, signal);
  try {
    const result = await work(context);
    if (options.rows)
      for (const test of store.tests()) if (store.traceCounts(test.id)) store.exportRows(test.id);
    return result;
  } finally {
    await context.close();
    store.close();
    release();
  }
}
