/** What makes a failing order happen by itself on plain Node: which answer is how late. Plain JSON. */

/** Something that a request waits for; only these moments can be put off. */
export interface PlannedStep {
  /** Place in the failing order. Of two steps that wait, the earlier one goes first. */
  readonly index: number;
  /** ms of the plan: the clock that starts with the run and stands still while the run is behind. */
  readonly at: number;
}

/** One request of the failing order, told apart by what a plain run can see of it. */
export interface PlannedRequest {
  readonly api: string;
  readonly what: string;
  /** `file:line` of the call, relative to the working directory; null where no user code was on the stack. */
  readonly site: string | null;
  /** Place of the step in whose turn it is issued; -1: it is issued in the first turn. */
  readonly cause: number;
  /** When it is issued if everything goes as planned. */
  readonly issued: number;
  readonly effects: readonly PlannedStep[];
  /** Its thread of the pool is free again from here on; null: with the delivery. */
  readonly end: PlannedStep | null;
  readonly deliver: PlannedStep;
}

/** The process as a whole stands still. */
export interface PlannedPause {
  readonly from: number;
  readonly until: number;
}

export interface WitnessPlan {
  /** In the order in which they are issued. */
  readonly requests: readonly PlannedRequest[];
  readonly pauses: readonly PlannedPause[];
}
