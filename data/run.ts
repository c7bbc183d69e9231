/** One forced or observed execution: what is asked, what came. Both are plain JSON. */

import type { Loopback } from './feasibility/rules.ts';
import type { HeldStep } from './held-step.ts';
import type { CutPoint, Schedule, Swap } from './prediction.ts';

/** How to choose the next step; strategies live in `rescheduler/strategies/`. */
export type StrategySpec =
  /** The order in which nothing is late: host answers first come first served, timers at their expiry. */
  | { readonly kind: 'observed' }
  | { readonly kind: 'directed'; readonly schedule: Schedule; readonly cutPoint: CutPoint | null }
  /** Some steps come only when others have, or cannot come any more; all else as observed. */
  | { readonly kind: 'held'; readonly steps: readonly HeldStep[] }
  /** The steps of another run, each by the place of its request in the order of issue: `D:3`; then as observed. */
  | { readonly kind: 'numbered'; readonly steps: readonly string[] }
  /** The order `steps`, changed so far that no span of the cut points is interrupted: the fix check. */
  | { readonly kind: 'atomic'; readonly steps: readonly string[]; readonly cutPoints: readonly CutPoint[] }
  /** By chance. `by`: the name of a strategy in rescheduler/strategies/list.ts; by default any step that could come next. */
  | ({ readonly kind: 'random'; readonly by?: string } & SeedPlan)
  /** Of each two requests the second one, which naturally is answered first, comes behind the first one where it can. */
  | { readonly kind: 'swapping'; readonly swaps: readonly Swap[]; readonly seed: number }
  /** Follow `prefix` by step name, then the first enabled step; the caller backtracks over `choices`. */
  | { readonly kind: 'prefix'; readonly prefix: readonly string[] };

/** What a strategy that chooses by chance goes by: any two runs of the same plan go alike. */
export interface SeedPlan {
  readonly seed: number;
  /** About how many steps an execution takes, where that is known. */
  readonly length?: number;
  /** Steps that come first. */
  readonly after?: readonly string[];
}

/** How an execution under priorities is to go: any two of the same plan go alike. */
export interface PctPlan {
  readonly seed: number;
  /** Steps that must come in a certain order for the bug to show, from 1: d of the paper. */
  readonly depth: number;
  /** About how many steps an execution takes: k of the paper. */
  readonly length: number;
}

export interface RunLimits {
  /** Largest virtual duration of a request, ms (C14). */
  readonly maxStallMs: number;
  /** Largest pause of the CPU, ms (C14). */
  readonly maxPauseMs: number;
  /** Real time after which a run is given up, ms; what a busy machine withholds does not count, within bounds. */
  readonly watchdogMs: number;
  /** What lies between two ends in one process; a network unless told otherwise. */
  readonly loopback?: Loopback;
  /** Calls that the user named complete like host requests. */
  readonly assumeIo?: boolean;
  /** A child process asks before what it does with files although no other one is beside it. */
  readonly asksAlone?: boolean;
  /** A look at the clock and an answer take a millisecond each, as where the CPU has much to do. */
  readonly slowMachine?: boolean;
  /** The clock of a run never leaps: its timers take the time that they take plainly. */
  readonly realPace?: boolean;
  /** A test case runs behind those before it in its file, which are carried out as they are: it leans on them. */
  readonly behindOthers?: boolean;
}
export const DEFAULT_LIMITS: RunLimits = { maxStallMs: 1000, maxPauseMs: 250, watchdogMs: 10_000 };

/** What a run takes for granted beyond what real Node is sure to do; what fails only so is conditional. */
export interface Assumptions {
  /** Answers of the host may be later than the user's limit. */
  readonly late: boolean;
  /** Calls that the user named complete like host requests. */
  readonly io: boolean;
}
export const NOTHING_ASSUMED: Assumptions = { late: false, io: false };

/** How the test ended. */
export type Outcome = 'pass' | 'fail' | 'deadlock' | 'unknown';
/** What became of the wanted order; null where none was wanted. Of a fix check: `diverged`: a span was broken. */
export type Followed = 'followed' | 'infeasible' | 'diverged';

export type FailureKind = 'assertion' | 'exception' | 'unhandled-rejection' | 'deadlock' | 'timeout';

export interface Failure {
  readonly kind: FailureKind;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Equal for equal defects: name, code and message with numbers, paths and addresses normalised. */
  readonly fingerprint: string;
  /** Two lists were compared, and have the same in another order. */
  readonly mixedUp?: true;
}

export interface RunResult {
  readonly outcome: Outcome;
  readonly followed: Followed | null;
  /** Directed runs: the three accesses of the cut point happened in the wanted order. */
  readonly patternSeen: boolean;
  readonly failure: Failure | null;
  /** Steps taken, by stable name. */
  readonly steps: readonly string[];
  /** Equal for runs of one order that `steps` cannot tell; null: nobody knows; absent: `steps` tell. Not stored. */
  readonly order?: string | null;
  /** For each step, how many steps were enabled (enumeration backtracks over these). */
  readonly choices?: readonly (readonly string[])[];
  /** Natural logarithm of the product of the numbers of enabled steps: sizes the tree of orders (Knuth 1975). */
  readonly breadth: number;
  /** At some step a timer could have come that `choices` does not name: it waited for real time (C12). Not stored. */
  readonly paced?: true;
  /** How far its clock came (C13), virtual ms. Not stored. */
  readonly clockMs?: number;
  /** Smallest lateness of host answers that makes this order happen, ms. */
  readonly requiredStallMs: number;
  /** Smallest pause of the CPU inside a turn that makes this order happen, ms. */
  readonly requiredPauseMs: number;
  /** The request that must be late, and by how much: the stall sentence. */
  readonly late: readonly { readonly api: string; readonly what: string; readonly ms: number }[];
  /** Hash over the steps and, where recorded, the accesses. */
  readonly traceHash: string;
  /** Where a directed run left its schedule: step index, what was wanted, what came instead. */
  readonly divergence: { readonly at: number; readonly wanted: string; readonly instead: string } | null;
  /** Deadlock: who waits for what, one line each. */
  readonly waits: readonly string[];
  readonly ungated: Readonly<Record<string, number>>;
  /** What its last turn left unhandled, which the runner may tell; absent where it left nothing. Not stored. */
  readonly afterwards?: Failure;
  /** It took longer than a run may, in the user's own command, which waits. Not stored. */
  readonly overtime?: true;
  /** Servers in other processes that it talked to, or was not let; absent where there were none. Not stored. */
  readonly peers?: readonly string[];
  /** Why a failure of this run is no proof (C7); absent where nothing speaks against it. Not stored. */
  readonly doubts?: readonly string[];
  readonly durationMs: number;
}
