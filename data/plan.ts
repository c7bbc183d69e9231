/**
 * An analysis that several machines share: what was planned, and what one of them has done of it. Both are kept in the
 * store, of which each machine has a copy.
 */
import { hash } from 'node:crypto';
import { z } from 'zod';
import { reportSchema } from './report.ts';

/** A test as its shard is chosen by. */
const plannedTest = z.strictObject({
  id: z.string(),
  /** What there is to force: predicted orders, by id, and a search. */
  orders: z.array(z.string()),
});
export type PlannedTest = z.infer<typeof plannedTest>;

/** What is planned once, before the work is divided. */
export const planSchema = z.strictObject({
  /** Of all below, and of every test with its predicted orders. */
  hash: z.string(),
  /** Another one each time: what a change that nobody notes would alter is never taken from an earlier plan. */
  made: z.string(),
  unweave: z.string(),
  node: z.string(),
  command: z.array(z.string()),
  /** Options that change what is found. */
  settings: z.record(z.string(), z.unknown()),
  tests: z.array(plannedTest),
  /** What was learned of the tests beside their records, by id. */
  notes: z.record(z.string(), z.looseObject({})),
});
export type AnalysisPlan = z.infer<typeof planSchema>;

/** One of `of` parts; counted from 1. */
export const shardSchema = z
  .strictObject({ index: z.int().positive(), of: z.int().positive() })
  .refine(({ index, of }) => index <= of);
export type Shard = z.infer<typeof shardSchema>;

/** What is found of some of the tests of a plan. */
export const partialResultSchema = z.strictObject({
  report: reportSchema,
  views: z.looseObject({
    bugs: z.array(z.looseObject({})),
    tests: z.record(z.string(), z.looseObject({})),
    ended: z.string().optional(),
  }),
});
export type PartialResult = z.infer<typeof partialResultSchema>;

/** What a machine has found in its shard. */
export const shardResultSchema = partialResultSchema.extend({ plan: z.string(), shard: shardSchema });
export type ShardResult = z.infer<typeof shardResultSchema>;

/** Keys of the store. */
export const PLAN = 'plan';
export const SHARD = 'shard';

export function planHash({
  made,
  unweave,
  node,
  command,
  settings,
  tests,
}: Omit<AnalysisPlan, 'hash' | 'notes'>): string {
  const work = tests.map(({ id, orders }) => [id, orders]);
  return hash('sha256', JSON.stringify([made, unweave, node, command, settings, work])).slice(0, 16);
}

/**
 * The tests of a shard. Whole tests, as what is tried next in one depends on what was found there before. The heaviest first,
 * each goes to the shard that has least so far: every machine works out the same.
 */
export function testsOf(tests: readonly PlannedTest[], { index, of }: Shard): ReadonlySet<string> {
  const shards = Array.from({ length: of }, () => ({ weight: 0, ids: new Set<string>() }));
  const heaviest = tests.toSorted((a, b) => b.orders.length - a.orders.length || (a.id < b.id ? -1 : 1));
  for (const { id, orders } of heaviest) {
    const least = shards.reduce((a, b) =>
      b.weight < a.weight || (b.weight === a.weight && b.ids.size < a.ids.size) ? b : a,
    );
    least.weight += orders.length;
    least.ids.add(id);
  }
  return shards[index - 1]?.ids ?? new Set();
}
