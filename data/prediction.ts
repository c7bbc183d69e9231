/** What the predictor writes and the rescheduler reads. */

/** Local, remote, local (Penelope §2): the five unserializable triples. */
export const PATTERNS = ['RWR', 'WRW', 'RWW', 'WWR', 'WWW'] as const;
export type Pattern = (typeof PATTERNS)[number];

/**
 * `RRW` is no violation by itself: the remote only reads. But it reads what the transaction is about to
 * change, so it may take another branch than in the observed run (check-then-act: the second caller finds
 * the cache still empty). A failing run may show nothing else: the reader went wrong before it touched the
 * entity again.
 */
export const SHAPES = [...PATTERNS, 'RRW'] as const;
export type Shape = (typeof SHAPES)[number];

/** One access of a pattern, by names that survive another run. */
export interface AccessPoint {
  readonly site: number;
  /** The same place as `file:line:column`: equal in every process. */
  readonly at: string;
  /** Stable path of the activation. */
  readonly path: string;
  /** Name of the task for people. */
  readonly task: string;
  readonly access: 'read' | 'write';
  /** Ordinal of this access among those of this activation at this site to this entity, from 0. */
  readonly ordinal: number;
  /** Accesses that the host makes: stable name of the request whose effect it is; null for the program's own. */
  readonly request: string | null;
  /** Event index in the observed run. */
  readonly event: number;
}

/**
 * Of two variables that have to agree, the second one: it is what `second` of a cut point is about, and the remote task accesses it
 * in the same turn as the first one. No order of the two transactions one behind the other gives what each of them saw
 * (the violations of two variables of Vaziri, Tip and Dolby, POPL 2006, as far as the remote one is a single turn).
 */
export interface OtherVariable {
  readonly entity: string;
  readonly remote: AccessPoint;
}

export interface CutPoint {
  readonly id: string;
  readonly pattern: Shape;
  readonly entity: string;
  readonly first: AccessPoint;
  readonly remote: AccessPoint;
  readonly second: AccessPoint;
  /** Absent: all accesses are to `entity`. */
  readonly other?: OtherVariable;
  /** Path of the activation that is the transaction. */
  readonly transaction: string;
  readonly locksFirst: readonly string[];
  readonly locksRemote: readonly string[];
  /** Higher is tried earlier. */
  readonly rank: number;
  readonly reasons: readonly string[];
}

/** Where an order to force comes from: a cut point, chance, or a list of all orders of a kind. */
export const ORIGINS = ['directed', 'random', 'enumerated'] as const;
export type Origin = (typeof ORIGINS)[number];

/** An order to force. */
export interface Schedule {
  readonly id: string;
  /** The cut point it was made for; null for random and enumerated ones. */
  readonly cutPoint: string | null;
  /** Steps in order; after the last one the run goes on in the order nearest to the observed one. */
  readonly steps: readonly string[];
  /** How many steps were moved against the observed order. */
  readonly moves: number;
  /** Task switches of the whole order. */
  readonly switches: number;
  /** Predicted required stall in ms. */
  readonly stallMs: number;
}

/** Two requests of which either may be answered first, by their names, in the order in which they were issued. */
export type Swap = readonly [string, string];
/** By what tells the code of two such requests from that of others, those that have it. */
export type Swaps = ReadonlyMap<string, readonly Swap[]>;
