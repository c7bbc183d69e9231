/** What the monitor needs of the one who decides which thread runs. */
import type { Op } from '../../data/threads/trace.ts';
import type { ThreadActivation } from './activation.ts';

export interface Token {
  /** Nothing is a step while this is above 0: setup, and the insides of annotated operations. */
  quiet: number;
  /** Threads run as they like and are only recorded: waiting is the engine's own. */
  readonly free: boolean;
  /** A scheduling point: returns when this thread may take its next step. */
  step(): void;
  /** Records what the step did. `object`: a cell of shared memory (cells.ts). */
  log(op: Op, object: number, point: number): void;
  /** A step that reads: scheduling point and event. True: {@link looked} wants to know what it reads. */
  read(cell: number, point: number): boolean;
  /** A step that writes. */
  write(cell: number, point: number): void;
  /** The event logged last changed a word; `conditional`: it would have left any other one as it was. */
  changed(from: unknown, to: unknown, conditional: boolean): void;
  /** Somebody wants to know {@link changed}. */
  readonly asksForChanges: boolean;
  /** The step wrote here: whoever spins on it may look again. */
  wrote(cell: number): void;
  /** The step read this here; the same again and again is a spin loop. */
  looked(cell: number, value: unknown): void;
  /** Waits until notified; `timeoutMs` in virtual time. */
  wait(cell: number, timeoutMs: number): 'ok' | 'timed-out';
  /** Wakes the first `count` that wait; returns how many there were. */
  notify(cell: number, count: number): number;
  /** Spins within an annotated operation: lets others run until somebody writes here. */
  spin(cell: number): void;
  /** Which annotated operation this thread is in, for whoever asks why nothing goes on. */
  entered(op: Op, place: number, point: number): void;
  left(): void;
  /** The call of a function, or a pass of a loop, begins: a transaction, if anything is done in it. */
  enter(point: number): void;
  /** It is over, however it ends. */
  leave(): void;
  /** The body of a module waits at an `await`; it goes on. */
  waits(): void;
  goesOn(): void;
  /** The call of an async function begins. */
  opened(activation: ThreadActivation): void;
  /** It is over. */
  closed(activation: ThreadActivation): void;
}
