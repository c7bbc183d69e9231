/** Calls that a test makes, as plain data: what it calls one after the other on the code under test, and what that gives. */
import { z } from 'zod';

const placeSchema = z.strictObject({
  /** Line and column in the file of the test. */
  site: z.string(),
  /** Which of the calls that are made there. */
  nth: z.int().nonnegative(),
});

/** A call that is found again when the test runs again. */
export type TestCallPlace = Readonly<z.infer<typeof placeSchema>>;

/** An asynchronous call that a test has made. */
export interface TestCall {
  readonly place: TestCallPlace;
  /** What it is called on: equal for one and the same. */
  readonly object: string;
  /** `store.set` */
  readonly operation: string;
  /** `store.set("a", 1)` */
  readonly text: string;
  /** Of its first argument; null: it has none. */
  readonly key: string | null;
  /** How it ended; null: it did not. */
  readonly ended: 'value' | 'error' | null;
  /** What it gave, so that it can be given again; null: that cannot be kept. */
  readonly gave: string | null;
  /** Places of earlier calls whose results are among its arguments. */
  readonly needs: readonly number[];
  /** Places of earlier calls with which it shares an argument that is not copied. */
  readonly shares: readonly number[];
  /** Its arguments can be copied: it can be made twice. */
  readonly isCopied: boolean;
  /** Another one was under way when it was made. */
  readonly overlaps: boolean;
}

const callSchema = z.strictObject({
  operation: z.string(),
  text: z.string(),
  reads: z.boolean(),
  /** Which of the stops it is. */
  stop: z.int().nonnegative(),
});

/** Calls that overlap in the place of one that a test makes. */
export const callPlanSchema = z.strictObject({
  kind: z.literal('calls'),
  /**
   * Calls that are not made, in their order. At the last one the test is held; it is told of each before that what it gave in the
   * recorded run, and goes on to the next.
   */
  stops: z.array(z.strictObject({ ...placeSchema.shape, gave: z.string().nullable() })).min(1),
  /** In the order in which they begin. */
  calls: z.array(callSchema).min(2),
  start: z.enum(['together', 'apart']),
});
export type CallPlan = z.infer<typeof callPlanSchema>;
