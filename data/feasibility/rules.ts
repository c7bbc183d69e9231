/** The rules of the event loop that the model obeys (docs/feasibility.md), and its bounds. */

/** Each rule can be switched off, so that a test can show the false failure that it prevents. */
export interface Rules {
  /** C3 timers fire in an order that some non-decreasing start times explain. */
  readonly timers: boolean;
  /** C8 a request takes effect at a moment of its own, before its answer. */
  readonly effects: boolean;
  /** C9 immediates run as one batch; nothing of the poll phase precedes those that it made. */
  readonly phases: boolean;
  /** C10 the thread pool starts requests in issue order on `poolSize` threads. */
  readonly pool: boolean;
  /** C14 lateness is bounded. */
  readonly bounded: boolean;
  /** C9 close callbacks run as one batch, the last closed first, in a phase behind the immediates. */
  readonly closing: boolean;
  /** C16 an unref'd timer fires only while something else keeps the process alive. */
  readonly unref: boolean;
}
export const ALL_RULES: Rules = {
  timers: true,
  effects: true,
  phases: true,
  pool: true,
  bounded: true,
  closing: true,
  unref: true,
};

export const LOOPBACKS = ['network', 'strict'] as const;
export type Loopback = (typeof LOOPBACKS)[number];

export interface LoopOptions {
  readonly rules: Rules;
  readonly poolSize: number;
  readonly maxStallMs: number;
  readonly maxPauseMs: number;
  /**
   * Where the first turn lies: `before` the loop, or `within` it, nobody knows where. Then it is taken for one of the poll
   * phase, from which the fewest orders follow (C9).
   */
  readonly firstTurn: 'before' | 'within';
  /** What lies between two ends in one process (C4): a `network`, or, `strict`, the kernel, which hands over at once. */
  readonly loopback: Loopback;
}
export const DEFAULT_LOOP: LoopOptions = {
  rules: ALL_RULES,
  poolSize: 4,
  maxStallMs: 1000,
  maxPauseMs: 250,
  firstTurn: 'before',
  loopback: 'network',
};
