/** An analysis divided among machines: it is planned once, each does its shard of a copy of the store. */
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type AnalysisPlan,
  PLAN,
  type PlannedTest,
  planHash,
  planSchema,
  SHARD,
  type Shard,
  shardResultSchema,
  testsOf,
} from '../../data/plan.ts';
import { type Store, StoreError } from '../../data/store/index.ts';
import type { TestNotes } from '../../report/view.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions } from '../options.ts';
import type { PipelineResult } from '../pipeline-api.ts';
import { version } from '../version.ts';
import { type StageContext, toCommand } from './context.ts';
import { pendingOf } from './pending.ts';
import { isStale, settingsOf } from './sources.ts';

/** What changes what is found, beside the settings of a recording. */
const SEARCH = ['maxSchedules', 'maxTimeMs', 'strategy', 'seed', 'confirm', 'watchdogMs'] as const;

/** As JSON has it. */
function planned(options: RunOptions): AnalysisPlan['settings'] {
  const search = Object.fromEntries(SEARCH.map((key) => [key, options[key]]));
  return JSON.parse(JSON.stringify({ ...settingsOf(options), ...search })) as AnalysisPlan['settings'];
}

function plannedTests(store: Store): PlannedTest[] {
  const todo = new Set(store.testsToDo('reschedule').map(({ id }) => id));
  return store.tests().map((test) => {
    const orders = todo.has(test.id) ? pendingOf(store, test).map(({ id }) => id) : [];
    // A test without a predicted order is searched all the same.
    return { id: test.id, orders: todo.has(test.id) ? ['search', ...orders] : [] };
  });
}

/** What was planned before is planned anew; a plan that was not finished goes on. */
export function forgetPlan(store: Store): void {
  if ((store.noted(PLAN) ?? null) !== null) store.clear();
  store.note(PLAN, null);
}

/** Writes down what is to be done, and says it. */
export function keepPlan({ store, options, notes }: StageContext): string {
  const plan = {
    made: randomUUID(),
    unweave: version(),
    node: process.version,
    command: [...(options.target ? toCommand(options.target) : [])],
    settings: planned(options),
    tests: plannedTests(store),
  };
  const hash = planHash(plan);
  store.note(PLAN, { ...plan, hash, notes: Object.fromEntries(notes) });
  store.note(SHARD, null);
  const forced = plan.tests.filter(({ orders }) => orders.length > 0);
  const orders = forced.reduce((sum, test) => sum + test.orders.length - 1, 0);
  return `plan ${hash}: ${orders} orders of ${forced.length} tests to force; each shard runs on a copy of ${options.store}`;
}

export function planIn(store: Store): AnalysisPlan {
  const plan = planSchema.safeParse(store.noted(PLAN));
  if (!plan.success) throw new UsageError(`${store.path} holds no plan: make one by unweave plan`);
  if (planHash(plan.data) !== plan.data.hash)
    throw new StoreError('corrupt', `${store.path}: damaged: its plan is not the one that was made`);
  return plan.data;
}

const NAMES: Readonly<Record<string, string>> = {
  unweave: 'another version of unweave',
  node: 'another Node',
};

/** The plan that the store holds, for a command that does a part of it. Refuses what would find something else. */
export function takePlan(context: StageContext): AnalysisPlan {
  const { store, options } = context;
  const plan = planIn(store);
  const now = { unweave: version(), node: process.version };
  for (const key of ['unweave', 'node'] as const)
    if (plan[key] !== now[key])
      throw new UsageError(
        `${store.path} was planned by ${NAMES[key]}: ${plan[key]}, and this is ${now[key]}`,
      );
  const command = options.target ? toCommand(options.target) : [];
  if (!isDeepStrictEqual(plan.command, [...command]))
    throw new UsageError(`${store.path} was planned for another command: ${plan.command.join(' ')}`);
  const settings = planned(options);
  const other = Object.keys(settings).find((key) => !isDeepStrictEqual(settings[key], plan.settings[key]));
  if (other !== undefined) throw new UsageError(`${store.path} was planned with another ${other}`);
  const stale = store.tests().find((test) => isStale(test, options));
  if (stale)
    throw new UsageError(
      `${store.path} was planned for other sources: what ${stale.file} › ${stale.name} loads is not what it was`,
    );
  for (const [id, notes] of Object.entries(plan.notes)) context.note(id, notes as TestNotes);
  return plan;
}

/** Restricts the command to its shard. */
export function takeShard(context: StageContext, shard: Shard): AnalysisPlan {
  const { store } = context;
  const plan = takePlan(context);
  const done = shardResultSchema.safeParse(store.noted(SHARD));
  if (done.success && !isDeepStrictEqual(done.data.shard, shard)) {
    const { index, of } = done.data.shard;
    throw new UsageError(
      `${store.path} is that of shard ${index}/${of}: each shard needs a copy of the planned store`,
    );
  }
  context.shard = testsOf(plan.tests, shard);
  return plan;
}

/** Writes down what this machine has found. */
export function keepShard(
  { store }: StageContext,
  plan: AnalysisPlan,
  shard: Shard,
  { report, views }: PipelineResult,
): void {
  store.note(SHARD, { plan: plan.hash, shard, report, views });
}
