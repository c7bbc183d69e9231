/** What an execution leaves when it ends: its events, in one file that its starter reads. */
import { existsSync } from 'node:fs';
import type { Failure } from '../../data/run.ts';
import { plainFailure } from '../failure.ts';
import { writeWhole } from '../subjects/job.ts';
import { H } from '../tokens/control.ts';
import { firstFailure } from './failure.ts';
import type { ThreadExecution } from './thread.ts';

/** Everything can be cloned. */
export interface Left {
  readonly outcome: 'ended' | 'deadlock';
  readonly failure: Failure | null;
  readonly words: Int32Array;
  readonly log: Int32Array;
}

/** Where the notes of an execution lie that leaves its events at `out`. */
export const notesOf = (out: string): string => `${out}.notes`;

// The originals: what the program calls is wrapped, or replaced.
const kill = process.kill.bind(process);
const slice = Int32Array.prototype.slice;
const copy = (words: Int32Array, end: number): Int32Array => slice.call(words, 0, end);

export function leftOf({ control }: ThreadExecution, how: Pick<Left, 'outcome' | 'failure'>): Left {
  const { log, words } = control;
  return { ...how, words: copy(words, words.length), log: copy(log, words[H.Events]!) };
}

export function leave(execution: ThreadExecution, how: Pick<Left, 'outcome' | 'failure'>): void {
  writeWhole(execution.out, leftOf(execution, how));
}

/** The program has ended with an exit code: what it has caught itself is no failure. */
export function leaveWith(execution: ThreadExecution, code: number): void {
  leave(execution, { outcome: 'ended', failure: code === 0 ? null : (firstFailure() ?? exitedWith(code)) });
}

/** Node's exit code for a module that waits for something that never comes. */
export const UNSETTLED = 13;

/** A program that says nothing but that it has failed. */
export const exitedWith = (code: number): Failure =>
  plainFailure('exception', 'ExitCode', `exit code ${code}`);

/** Nobody will ever go on: the process ends, whichever thread has seen it. */
export function stuck(execution: ThreadExecution): void {
  if (!existsSync(execution.out)) leave(execution, { outcome: 'deadlock', failure: null });
  kill(process.pid, 'SIGKILL');
}
