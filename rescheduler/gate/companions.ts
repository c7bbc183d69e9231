/**
 * The other threads of a program, as the gate of one thread sees them: a step is taken when the thread's turn among them
 * has come. Calls return with the thread allowed to run; `false`: the execution is over.
 */

import type { Step } from '../../data/feasibility/exact/loop.ts';
import type { HostRequest } from '../../monitor/host/request.ts';

export interface Companions {
  /** ms of the epoch, and of the monotonic clock, at which the execution began: for all threads the same. */
  readonly epoch: number;
  readonly monotonic: number;
  /** The time that all threads share, ms since then, when it is `at` in the loop of this one: never less than told before. */
  now(at: number): number;
  /** The same for a moment in the past. */
  then(at: number): number;
  issued(request: HostRequest, at: number): void;
  withdrawn(request: HostRequest): void;
  /** It has taken effect: its accesses are known. */
  effect(request: HostRequest): void;
  /** A synchronous call is about to touch files: others may come before it. Then it has done so, and its accesses are known. */
  calls?(): void;
  called?(request: HostRequest): void;
  /**
   * Before a step is chosen: waits until this thread's turn has come. `later`: others have gone on meanwhile, and may have
   * brought something.
   */
  claim(): 'now' | 'later' | 'over';
  /** Asks to take a step, which happens at `at` in the loop of this thread and has a name. */
  step(kind: Step['kind'], request: HostRequest, at: number, name: string): boolean;
  /** Nothing can happen in this thread before a time of its loop: what came first. */
  rest(until: number): 'time' | 'news' | 'over';
  /** What other threads have brought about since the last look. */
  arrived(): Iterable<HostRequest>;
  /** Nothing can happen in this thread by itself. */
  wait(): boolean;
  /** Something came that was neither held nor foreseen. */
  doubted?(what: string): void;
  /** Of a thread that ends when nothing keeps it alive; others end when all have. */
  readonly alone?: Alone;
}

/** What only the other threads of its program bring to a thread. */
export interface Alone {
  /** Kinds of handles through which it comes. */
  readonly brings: ReadonlySet<string>;
  /** Whether some of that keeps the thread alive. */
  lingers(): boolean;
}
