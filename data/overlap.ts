/** What overlaps in a test that does one thing after the other. */
import { z } from 'zod';
import { type HttpExchange, requestPlanSchema } from './exchange.ts';
import type { ScenarioRun } from './scenario.ts';
import { callPlanSchema, type TestCall } from './test-call.ts';

/** What a test has done, as far as some of it may overlap. */
export type OverlapLog =
  | { readonly kind: 'requests'; readonly exchanges: readonly HttpExchange[] }
  | { readonly kind: 'calls'; readonly calls: readonly TestCall[] };

export const overlapPlanSchema = z.discriminatedUnion('kind', [requestPlanSchema, callPlanSchema]);
/** What overlaps in the place of something that a test does. */
export type OverlapPlan = z.infer<typeof overlapPlanSchema>;

/** A plan, and what makes it equal to another one. */
export interface PlannedOverlap {
  readonly plan: OverlapPlan;
  /** `POST /withdraw {"amount":80} ∥ POST /withdraw {"amount":80}` */
  readonly name: string;
  /** All about one thing. */
  readonly keys: 'same' | 'other';
  /** Equal for those that do the same behind the same setup. */
  readonly shape: string;
  /** Equal for those whose serial orders are the same: they differ in when they begin. */
  readonly group: string;
}

/** What a process is asked to do with a test instead of judging it. */
export interface OverlapInTest {
  readonly plan: OverlapPlan;
  readonly run: ScenarioRun;
}
