/** What was predicted from a trace of threads, as it is stored. */
import type { Shape } from '../prediction.ts';

export interface ThreadCutPoint {
  readonly pattern: Shape;
  readonly entity: string;
  /** Event indices. */
  readonly first: number;
  readonly remote: number;
  readonly second: number;
  /** The second access can be executed after the remote one. */
  readonly completes: boolean;
  /** Occurrences of this kind. */
  readonly alike: number;
  /** Higher is tried earlier. */
  readonly rank: number;
  readonly reasons: readonly string[];
  /** So many events of the trace come first, as observed; the schedules go on from there. */
  readonly observed: number;
  /** Event indices in execution order; the same events with the fewest context switches. */
  readonly schedule: Int32Array;
  readonly reduced: Int32Array;
  /** Context switches of the two. */
  readonly switches: { readonly before: number; readonly after: number };
}
