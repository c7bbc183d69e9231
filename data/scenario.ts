/** Scenarios as plain data: what is called, what came of it, and what may come of it. */

/** A value of the program in a form that can be compared, kept and shown: see `rescheduler/scenarios/canonical.ts`. */
export type Canonical =
  | null
  | boolean
  | number
  | string
  | readonly Canonical[]
  | { readonly [key: string]: Canonical };

/** How one operation ended. */
export type CanonicalResult =
  | { readonly value: Canonical }
  /** An error by its code, or else by its name and the first line of its message, without numbers. */
  | { readonly rejects: Canonical }
  | 'never settled';

/** What came of a scenario: of each operation, by its place among the calls, and of what is looked at afterwards. */
export interface CanonicalOutcome {
  readonly results: readonly CanonicalResult[];
  readonly then: Canonical;
}

/** The outcome of one serial order. */
export interface SerialOutcome {
  /** The calls in their order; those that are missing were refused, and it is as if they had not been made. */
  readonly order: readonly number[];
  /** Before the calls at these places nothing was under way any more: what one leaves behind may come before the next, or not. */
  readonly rests: readonly number[];
  /** Some executions of it: what differs between them may be anything. */
  readonly samples: readonly CanonicalOutcome[];
}

/** By which clock a serial order is executed: that of runs, the same later, or the real one. */
export type SerialClock = 'virtual' | 'shifted' | 'real';

/** What a run of a scenario is given beside its name. */
export type ScenarioRun =
  /** One serial order, whose outcome is asked for. `restMs`: by the real clock it is looked at so much later. */
  | {
      readonly kind: 'serial';
      readonly order: readonly number[];
      readonly rests: readonly number[];
      readonly clock: SerialClock;
      readonly restMs: number;
    }
  /** All calls overlapping, or `isSerial`: one behind the other. The outcome has to be one of these. */
  | {
      readonly kind: 'judged';
      readonly isSerial: boolean;
      readonly serial: readonly SerialOutcome[];
      /** The outcome is wanted for people, too. */
      readonly isTold?: boolean;
    };

/** An outcome for people: equal to that of a serial order where this gives it. What is the same in all is left out. */
export interface ToldOutcome {
  readonly outcome: string;
  /** What the serial orders give, by their calls. */
  readonly serial: Readonly<Record<string, string>>;
}

/** The answer to a serial order. */
export interface SerialReply {
  readonly outcome: CanonicalOutcome;
  /** How long it took by the clock of runs, ms. */
  readonly clockMs: number;
  /** A call waited for a later one. */
  readonly isBlocked: boolean;
}

/** What is known of a scenario without running it. */
export interface ScenarioTold {
  readonly name: string;
  readonly spec: string;
  /** One for each call. */
  readonly operations: readonly string[];
  /** Whether the calls are about one thing: what the first argument says. */
  readonly keys: 'same' | 'other';
  /** Equal for scenarios of the same calls, which begin otherwise. */
  readonly group: string;
  /** Places of the calls that may be refused. */
  readonly refusable: readonly number[];
  /** The call at this place comes behind the one before it, as one task; null: each is a task of its own. */
  readonly sequel: number | null;
  /** The calls as they are written, in the order in which they begin. */
  readonly calls: readonly string[];
  readonly start: 'together' | 'apart';
}

/** Which operations of a specification overlap in a scenario. */
export type Overlaps = Pick<ScenarioTold, 'spec' | 'operations' | 'keys' | 'sequel'>;

/** The same of calls in threads. */
export interface ThreadScenarioTold extends ScenarioTold {
  /** Of each call, which of the arguments of its operation it has. */
  readonly args: readonly number[];
}

/** What a thread needs to know of the calls. */
export type ThreadCalls = Pick<ThreadScenarioTold, 'args' | 'name' | 'operations' | 'sequel' | 'spec'>;
