/** Messages between a harness subject and the process that runs it. */
import type { RunLimits, RunResult, StrategySpec } from '../../data/run.ts';
import type { Trace } from '../../data/trace.ts';

/** What a harness file registers. */
export interface ListRequest {
  readonly kind: 'list';
  readonly file: string;
}

export interface RunRequest {
  readonly kind: 'run';
  readonly file: string;
  readonly name: string;
  readonly spec: StrategySpec;
  readonly limits: RunLimits;
  readonly wantChoices: boolean;
  readonly record: boolean;
}

export type WorkerRequest = ListRequest | RunRequest;

export interface ListReply {
  /** Null when the file does not even import the harness API; then it was not run. */
  readonly harnesses: readonly { readonly name: string; readonly tasks: readonly string[] }[] | null;
}

export interface RunReply {
  readonly result: RunResult;
  readonly trace: Trace | null;
  /** False when this process may not be used for another run. */
  readonly reusable: boolean;
}

/** The request could not be carried out; `subject`: the user's file is at fault, the message is one line. */
export interface ErrorReply {
  readonly error: { readonly subject: boolean; readonly message: string };
}

export type WorkerReply = ListReply | RunReply | ErrorReply;

export interface Envelope<T> {
  readonly id: number;
  readonly body: T;
}
