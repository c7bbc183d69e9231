/** Puts the shards of a plan together again: one report, and one store to look into. */
import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  type AnalysisPlan,
  PLAN,
  SHARD,
  type ShardResult,
  shardResultSchema,
  testsOf,
} from '../../data/plan.ts';
import { lockStore, openStore, type Store, StoreError } from '../../data/store/index.ts';
import type { SuiteView } from '../../report/view.ts';
import { writesTo } from '../../report/wanted.ts';
import { UsageError } from '../errors.ts';
import type { RunOptions } from '../options.ts';
import type { PipelineResult } from '../pipeline-api.ts';
import { mergedResult } from './merged.ts';
import { planIn } from './plan.ts';
import { suiteOf } from './suite.ts';

interface ShardStore {
  readonly store: Store;
  readonly plan: AnalysisPlan;
  readonly result: ShardResult;
}

/** `isPartial`: shards may be missing. */
export function merge(files: readonly string[], isPartial: boolean, options: RunOptions): PipelineResult {
  const { cwd } = options;
  const target = resolve(cwd, options.store);
  if (files.some((file) => resolve(cwd, file) === target))
    throw new UsageError(`${options.store} is one of the stores to merge: name another one by --store`);
  const parts: ShardStore[] = [];
  try {
    for (const file of files) parts.push(readPart(resolve(cwd, file), file));
    const missing = missingOf(parts, isPartial);
    writeStore(parts, target, options.store);
    const [{ store, plan }] = parts as [ShardStore];
    const results = parts.map(({ result }) => result);
    const { report, views, exitCode } = mergedResult(store.report(), plan, results, missing, options);
    const suite = suiteViewOf(target, options);
    return { report, views: { ...views, ...(suite ? { suite } : {}) }, exitCode };
  } finally {
    for (const { store } of parts) store.close();
  }
}

function readPart(path: string, file: string): ShardStore {
  const store = openStore(path, { readonly: true });
  try {
    const plan = planIn(store);
    const noted = store.noted(SHARD) ?? null;
    if (noted === null) throw new UsageError(`${file}: its shard was not run to its end`);
    const result = shardResultSchema.safeParse(noted);
    if (!result.success || result.data.plan !== plan.hash)
      throw new StoreError('corrupt', `${file}: damaged: what is said of its shard`);
    const { shard, report } = result.data;
    const told = new Set(report.tests.map(({ id }) => id));
    if (!isDeepStrictEqual(told, testsOf(plan.tests, shard)))
      throw new StoreError(
        'corrupt',
        `${file}: damaged: its tests are not those of shard ${shard.index}/${shard.of}`,
      );
    return { store, plan, result: result.data };
  } catch (error) {
    store.close();
    throw error;
  }
}

/** What the shards have looked into together; null: nobody asked for the page that shows it. */
function suiteViewOf(target: string, options: RunOptions): SuiteView | null {
  if (writesTo(options, 'html') === null) return null;
  using store = openStore(target, { readonly: true });
  return suiteOf({ store, options, reordered: new Map() }, () => true);
}

const nameOf = ({ result: { shard } }: ShardStore): string => `${shard.index}/${shard.of}`;

/** Says which shards are not there; null: none. Shards of one plan, each once, or it is an error. */
function missingOf(parts: readonly ShardStore[], isPartial: boolean): string | null {
  const [first, ...others] = parts;
  if (!first) throw new UsageError('nothing to merge: name the stores of the shards');
  for (const other of others) {
    if (other.plan.hash !== first.plan.hash)
      throw new UsageError(`${other.store.path} is of another plan than ${first.store.path}`);
    if (other.result.shard.of !== first.result.shard.of)
      throw new UsageError(
        `${other.store.path} is shard ${nameOf(other)}, ${first.store.path} is ${nameOf(first)}`,
      );
  }
  const there = Map.groupBy(parts, ({ result }) => result.shard.index);
  for (const [, [a, b]] of there)
    if (a && b) throw new UsageError(`${a.store.path} and ${b.store.path} are both shard ${nameOf(a)}`);
  const missing = Array.from({ length: first.result.shard.of }, (_, at) => at + 1).filter(
    (n) => !there.has(n),
  );
  if (missing.length > 0 && !isPartial)
    throw new UsageError(
      `shard ${missing.join(', ')} of ${first.result.shard.of} is missing; --partial goes without`,
    );
  return missing.length === 0 ? null : `shard ${missing.join(', ')} of ${first.result.shard.of} is missing`;
}

/** The planned store with what all shards have found; in its place at once. */
function writeStore([first, ...others]: readonly ShardStore[], target: string, name: string): void {
  // What is no store of ours stays what it is.
  if (existsSync(target)) openStore(target, { readonly: true }).close();
  const made = `${target}.merging`;
  rmSync(made, { force: true });
  first!.store.copyTo(made);
  const merged = openStore(made);
  try {
    const lock = lockStore(made, name);
    for (const { store, result } of others)
      merged.atomically(() => {
        for (const { id } of result.report.tests) merged.take(id, store);
        merged.addTiming('reschedule', result.report.timing.rescheduleMs);
      });
    merged.note(SHARD, null);
    merged.note(PLAN, null);
    lock.release();
  } finally {
    merged.close();
  }
  for (const end of ['-wal', '-shm']) rmSync(target + end, { force: true });
  renameSync(made, target);
}
