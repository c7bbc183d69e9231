/**
 * The vocabulary of one recorded run: what the monitor writes, the store keeps and the predictor reads.
 *
 * Words, used with the same meaning everywhere:
 * - *activation*: one call of an async function, or one callback that the host ran; the unit that has a
 *   parent (who called or caused it) and that can be a transaction.
 * - *request*: one thing asked of the host (a file operation, a timer, an immediate).
 * - *turn*: one delivery from the host plus all ticks and microtasks that it drains.
 * - *job*: a maximal stretch of instrumented code inside one turn; nothing can be reordered inside it.
 * - *condition*: what had to happen before a job could begin; conditions form the suspension graph.
 */

import type { ChildRecord } from './child-record.ts';

/** What an event says. `object` of an event is an index into the table named here. */
export const EventKind = {
  /** object: entity */
  Read: 0,
  /** object: entity */
  Write: 1,
  /** object: lock */
  Acquire: 2,
  /** object: lock */
  Release: 3,
  /** A request is handed to the host. object: request */
  Issue: 4,
  /** The host carries a request out; its Read and Write events follow with the issuer's activation. object: request */
  Effect: 5,
  /** A new turn begins with the delivery of a request. object: request */
  Turn: 6,
  /** A job begins. object: job */
  Job: 7,
  /** A lock is asked for. object: the condition that its grant meets */
  Wait: 8,
} as const;
export type EventKind = (typeof EventKind)[keyof typeof EventKind];

/** Events as columns of equal length; the index of an event is its time in the run. */
export interface EventColumns {
  readonly length: number;
  /** One of {@link EventKind}. */
  readonly kind: Uint8Array;
  /** Who did it: index into `activations`. */
  readonly activation: Int32Array;
  /** Where in the source: index into `sites`; -1 where there is none. */
  readonly site: Int32Array;
  /** What it was done to; the kind says which table. */
  readonly object: Int32Array;
}

/** A program point in the user's text. Lines and columns count from 1. */
export interface Site {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The source text at this point, shortened: `this.balance`, `cache.get(key)`. */
  readonly text: string;
  /** Name of the enclosing function, or `(module)`. */
  readonly fn: string;
}

/** A call in the user's text, made by a function that was running or suspended when something happened further in. */
export interface CallPlace {
  /** Relative to the working directory. */
  readonly file: string;
  readonly line: number;
  /** Of the name of what is called, where that is known; else of the first character of the line. */
  readonly column: number;
  /** Name of the function that calls; empty: it has none. */
  readonly fn: string;
}

export type ActivationKind =
  /** The body of a test case, a suite or a script: never a transaction. */
  | 'root'
  /** One task of a harness: a transaction. */
  | 'task'
  /** A call of an async function. */
  | 'async'
  /** A synchronous function called directly from a root (an operation of the test). */
  | 'sync'
  /** A callback run by the host or by library code. */
  | 'callback';

export interface Activation {
  readonly id: number;
  readonly kind: ActivationKind;
  /** Who called it, or who issued the request whose delivery ran it; -1 for the root. */
  readonly parent: number;
  /** True when the parent awaits it in place (`await f()`): then it belongs to its parent's task. */
  readonly joined: boolean;
  /** The request whose delivery ran this callback; -1 otherwise. */
  readonly cause: number;
  /** Stable name: the parent's path, then what distinguishes it among its siblings; equal in every order. */
  readonly path: string;
  /** Name of the function. */
  readonly name: string;
  /** The function's own place; -1 where unknown. */
  readonly site: number;
  /** The user's word on whether this is a transaction (`unweave: atomic`, `unweave: not-atomic`). */
  readonly atomic: boolean | null;
}

/**
 * `pool`: work of the thread pool; `external`: something else that the poll phase delivers (a socket can be read,
 * a message came); `close`: the callback of a closed handle.
 */
export type RequestKind = 'pool' | 'timer' | 'immediate' | 'external' | 'close';

/** What hooks have begun for a run, and all that follows from it in the run, has names that begin so. */
export const BEFORE_RUN = 'before|';

export interface Request {
  readonly id: number;
  readonly kind: RequestKind;
  /** `fs.open`, `setTimeout`, … */
  readonly api: string;
  /** What it is about, for people: a path relative to the working directory, a delay. */
  readonly what: string;
  /** Stable name, unique in the run: the issuer's path, the api, an ordinal. */
  readonly name: string;
  readonly activation: number;
  readonly site: number;
  /** Timers: the delay in ms. Others: 0. */
  readonly delay: number;
  /** Timers: whether it keeps the process alive. */
  readonly ref: boolean;
  /** The request that is delivered first: a server accepts before its client is told (C4). -1: there is none. */
  readonly behind: number;
  /** The time at which the program took it back, as by `clearTimeout`; -1: it did not. */
  readonly takenBack: number;
  /**
   * What another process brings: the time at which the program last did something that this process may have waited for. -1: it was
   * asked for where it was issued.
   */
  readonly since: number;
}

/** A piece of shared state: `Class#field`, `file.ts:variable`, `Map@file.ts:12[key]`, `fs:<path>`. */
export interface Entity {
  readonly id: number;
  readonly name: string;
  readonly kind: 'property' | 'variable' | 'element' | 'resource' | 'opaque';
}

export interface Lock {
  readonly id: number;
  /** `Mutex@file.ts:12`. */
  readonly name: string;
}

/** What had to happen before a job could begin. */
export type Condition =
  /** The run began. */
  | { readonly kind: 'start' }
  /** A request was delivered. */
  | { readonly kind: 'delivery'; readonly request: number }
  /** A job had run (it resolved the promise, or called back). */
  | { readonly kind: 'job'; readonly job: number }
  /** A lock was granted; locks are queues. */
  | { readonly kind: 'lock'; readonly lock: number }
  | { readonly kind: 'all'; readonly of: readonly number[] }
  | { readonly kind: 'any'; readonly of: readonly number[] }
  /** The monitor could not tell; taken as the job that ran just before. */
  | { readonly kind: 'unknown' };

export interface TraceJob {
  readonly id: number;
  readonly activation: number;
  /** Index into `conditions`. */
  readonly condition: number;
}

/** What was there before a run: hooks have begun it, modules, or earlier tests. */
export interface FoundByRun {
  /** The user's sources that run in other processes. */
  readonly programs: readonly string[];
  /** Where servers of this process listen, but for ports that the kernel has chosen. */
  readonly ports: readonly number[];
}

export interface Trace {
  readonly events: EventColumns;
  readonly sites: readonly Site[];
  readonly activations: readonly Activation[];
  readonly requests: readonly Request[];
  readonly entities: readonly Entity[];
  readonly locks: readonly Lock[];
  readonly conditions: readonly Condition[];
  readonly jobs: readonly TraceJob[];
  /** The steps of the observed order, by stable name, as schedule-step.ts spells them. */
  readonly steps: readonly string[];
  /** Program points whose record budget ran out: their later accesses are missing. */
  readonly saturated: readonly number[];
  /** Host activity that nothing holds, by api: how often. */
  readonly ungated: Readonly<Record<string, number>>;
  /** Files that run where sites are told in those that they were made of. Not stored. */
  readonly made?: readonly string[];
  /** Events before the verdict was known: what comes behind them only tidies up. Not stored. */
  readonly settled?: number;
  /** The processes that the run has started. Not stored. */
  readonly children?: readonly ChildRecord[];
  /** Not stored. */
  readonly around?: FoundByRun;
  /** For accesses, by event: where they were called from, innermost first. Only of runs that explain a failure; not stored. */
  readonly callers?: ReadonlyMap<number, readonly CallPlace[]>;
  /** Installed packages that the program called and nobody looked into. Of the same runs; not stored. */
  readonly packages?: readonly string[];
  /** Activations that never went on, and the `await` at which each stands. Of the same runs; not stored. */
  readonly suspended?: readonly { readonly activation: number; readonly site: number }[];
}
