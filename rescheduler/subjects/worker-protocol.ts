/** Messages between a harness subject and the process that runs it. */

import type { OverlapInTest } from '../../data/overlap.ts';
import type { RunLimits, RunResult, StrategySpec } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import type {
  ScenarioRun,
  ScenarioTold,
  SerialReply,
  ThreadScenarioTold,
  ToldOutcome,
} from '../../data/scenario.ts';
import type { Trace } from '../../data/trace.ts';
import type { ViaLoaders } from '../../monitor/modules/linker.ts';
import type { Left } from '../loops/ending.ts';
import type { ExecutionJob } from '../loops/execution.ts';
import type { Note } from '../loops/notes.ts';
import type { ThreadReply, ThreadRunRequest } from '../tokens/protocol.ts';
import type { CaseId } from './job.ts';
import type { StopPoint } from './stops.ts';

/** What a harness file registers. */
interface ListRequest {
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
  readonly stops?: readonly StopPoint[] | undefined;
  /** The name is that of a scenario. */
  readonly scenario?: ScenarioRun | undefined;
}

/** One case of `node:test`, run by our own loop over its file. */
export interface CaseRequest {
  readonly kind: 'case';
  /** The file that the process was started with; `target.file` is where the test is written. */
  readonly entry: string;
  /** The same, for messages. */
  readonly file: string;
  readonly target: CaseId;
  readonly runner: RunnerName;
  /** The process was started with loaders of the user. */
  readonly viaLoaders: ViaLoaders;
  readonly spec: StrategySpec;
  readonly limits: RunLimits;
  readonly wantChoices: boolean;
  readonly record: boolean;
  /** It is carried out up to where it is held, and something overlaps then. */
  readonly overlap?: OverlapInTest | undefined;
}

/** One execution of a program that starts its own workers. */
export interface RunProgram {
  readonly kind: 'program';
  /** The script, for messages, and its arguments. */
  readonly file: string;
  readonly argv: readonly string[];
  /** Null: the program itself is the subject. */
  readonly target: CaseId | null;
  readonly orders: ExecutionJob;
  /** Where it leaves what is to be said when its process ends. */
  readonly out: string;
}

export type WorkerRequest = ListRequest | RunRequest | CaseRequest | ThreadRunRequest | RunProgram;

export interface ListReply {
  /** Null when the file does not even import the harness API; then it was not run. */
  readonly harnesses: readonly { readonly name: string; readonly tasks: readonly string[] }[] | null;
  /** Names of those of threads. */
  readonly threads: readonly string[];
  /** What overlaps of the operations that are declared. */
  readonly scenarios: readonly ScenarioTold[];
  readonly threadScenarios: readonly ThreadScenarioTold[];
}

export interface RunReply {
  readonly result: RunResult;
  readonly trace: Trace | null;
  /** False when this process may not be used for another run. */
  readonly reusable: boolean;
  /** Modules were read by loaders of the user, and not by Node: an error may read otherwise. */
  readonly viaLoaders?: boolean;
  /** Of a serial order: what came of it; null where it failed. */
  readonly serial?: SerialReply | null;
  /** Of overlapping calls: why what came of it is as it should be though no serial order gives it. */
  readonly allowed?: string;
  /** What came of them, where that is wanted. */
  readonly told?: ToldOutcome;
}

/** What an execution of a program has left. */
export interface ProgramLeft {
  readonly left: Left;
  readonly notes: readonly Note[];
  /** False when this process may not be used for another one. */
  readonly reusable: boolean;
}

/** The case cannot be run this way; why. */
export interface UnfitReply {
  readonly unfit: string;
  /** No case of its file can; or just this one run could not. */
  readonly of?: 'file' | 'run';
}

/** The request could not be carried out; `subject`: the user's file is at fault, the message is one line. */
interface ErrorReply {
  readonly error: { readonly subject: boolean; readonly message: string };
}

export type WorkerReply = ListReply | RunReply | ThreadReply | ProgramLeft | UnfitReply | ErrorReply;

export interface Envelope<T> {
  readonly id: number;
  readonly body: T;
}
