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
  /** What the kernel does for it; what is not listed is done when its turn on a thread comes. */
  readonly effects: readonly PlannedStep[];
  /** Its thread of the pool is free again from here on; null: with the delivery. */
  readonly end: PlannedStep | null;
  readonly deliver: PlannedStep;
  /** Effects that happen within this turn once this is issued: the process stands still meanwhile. */
  readonly within?: readonly number[] | undefined;
}

/** One round of the loop: timers, poll, check, closing. */
export interface PlannedRound {
  /** The process stands still before it until then, ms of the plan; null: it does not. */
  readonly until: number | null;
  /** What the kernel does right behind the turns that ask for it: before the poll phase, which may bring news of it. */
  readonly early: readonly number[];
  /** The steps of each answer that arrives in its poll phase: what the kernel does before, and the delivery. */
  readonly answers: readonly (readonly number[])[];
  /** The deliveries with which its check phase begins. */
  readonly heads: readonly number[];
}

/** A moment told by a timer, which no load of the machine puts off: so long behind its start, ms. */
export interface PlannedAlarm {
  /** Of the timer, ms; and how many of that delay are started before it. */
  readonly delay: number;
  readonly nth: number;
  readonly behind: number;
}

/**
 * Steps between which the loop goes round as often as in the order and not once more, since an immediate or a close
 * callback waits; or timers that are late because the process stands still.
 */
export interface PlannedStretch {
  /** Its first step; -1: the first turn. */
  readonly index: number;
  /** When it begins, ms of the plan. */
  readonly at: number;
  /** It begins with a pause of the process, else with the answer `index` or the first turn. */
  readonly stands: boolean;
  /** When it begins to stand and until when, where the timers tell: the plan's clock may be behind by then. */
  readonly alarms?: { readonly begin: PlannedAlarm; readonly end: PlannedAlarm } | undefined;
  readonly rounds: readonly PlannedRound[];
}

/** The process stands still within a turn, before it starts a timer. */
export interface PlannedPause {
  /** Of the timer, ms; and how many of that delay are started before it. */
  readonly delay: number;
  readonly nth: number;
  /** ms of the plan. */
  readonly until: number;
}

export interface WitnessPlan {
  /** In the order in which they are issued. */
  readonly requests: readonly PlannedRequest[];
  /** In the order in which they begin. */
  readonly stretches: readonly PlannedStretch[];
  readonly pauses: readonly PlannedPause[];
}
