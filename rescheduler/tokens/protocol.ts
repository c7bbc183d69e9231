/** What is asked of a process that runs programs of threads, and what it answers. All of it can be cloned. */

import type { Failure, Followed, Outcome, PctPlan } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import type { Overlaps, ScenarioRun, SerialReply, ThreadCalls } from '../../data/scenario.ts';
import type { ThreadSchedule } from '../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import type { PointText } from '../../monitor/threads/trace.ts';
import type { SubjectSource } from '../subjects/source.ts';
import type { ThreadRule } from './control.ts';
import type { LateStep } from './loop-holder.ts';

export type ThreadSpec = ThreadStrategySpec & {
  /** For tests: rules that are off. */
  readonly without?: readonly ThreadRule[];
};

type ThreadStrategySpec =
  | { readonly kind: 'observed' }
  /** Not controlled: the threads of a harness side by side, only to be recorded. */
  | { readonly kind: 'free' }
  | { readonly kind: 'directed'; readonly schedule: ThreadSchedule }
  | { readonly kind: 'random'; readonly seed: number }
  | ({ readonly kind: 'pct' } & PctPlan);

export interface ThreadRunRequest {
  readonly kind: 'threads';
  readonly file: string;
  readonly name: string;
  readonly spec: ThreadSpec;
  readonly record: boolean;
  readonly watchdogMs: number;
  /** See {@link ThreadExecuteOptions}. */
  readonly callsAt?: readonly string[];
  /** Bodies are known to be asynchronous. */
  readonly loops?: boolean;
  /** It is made of these calls, and how they are run. */
  readonly scenario?: { readonly calls: ThreadCalls; readonly run: ScenarioRun };
}

export interface ThreadResult {
  readonly outcome: Outcome;
  /** What became of the wanted schedule; null where none was wanted. */
  readonly followed: Followed | null;
  /** Where it was left: index of the grant or event, and what came instead. */
  readonly divergence: string | null;
  readonly failure: Failure | null;
  /** Deadlock: who waits for what, one line each. */
  readonly waits: readonly string[];
  readonly events: number;
  readonly switches: number;
  /** Over all events in their order. */
  readonly traceHash: string;
  /** The schedule that was really taken: pairs of thread and steps. None where nothing is to be explained, or goes on from there. */
  readonly taken: readonly number[];
  /** By thread, the steps that its event loop took; none where bodies are synchronous. */
  readonly deliveries: readonly (readonly string[])[];
  /** Of programs that start their own threads: what was neither controlled nor seen, and in how many threads. */
  readonly ungated: Readonly<Record<string, number>>;
  /** What came later than it could. */
  readonly late: readonly LateStep[];
  readonly durationMs: number;
}

export interface ThreadExecuteOptions {
  readonly watchdogMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly verbose?: boolean;
  /** Of a recorded execution: the places of accesses of which is to be told from where they are called. */
  readonly callsAt?: readonly string[];
}

/** One test of threads that can be executed again and again. Executions of one test must not overlap. */
export interface ThreadedTest {
  readonly kind: 'threads' | RunnerName | 'script';
  readonly id: string;
  readonly file: string;
  readonly name: string;
  /** Null where only the command itself can find it again. */
  readonly source: SubjectSource | null;
  /** One execution, in a warm process where that is sound; `record`: with its trace. */
  execute(spec: ThreadSpec, options: ThreadExecuteOptions, record?: boolean): Promise<ThreadReply>;
  /** One execution in a process of its own. */
  executeFresh(spec: ThreadSpec, options: ThreadExecuteOptions): Promise<ThreadResult>;
  /** Which operations of a specification overlap in it; absent: it is a program of its own. */
  readonly overlaps?: Overlaps | undefined;
  /** Why outcomes are as they should be though no serial order gives them, as the user says. */
  allowed?(): { reason: string; times: number }[];
  /** The last output of the program, at most 64 kB. */
  output(): string;
  close(): Promise<void>;
}

export interface ThreadReply {
  readonly ran: ThreadResult;
  readonly trace: ThreadTrace | null;
  /** Of the points of the trace, by index. */
  readonly sites: readonly PointText[];
  readonly reusable: boolean;
  /** It did not come to its end, and until then no thread had touched a file or shared memory. */
  readonly isUntouched?: boolean;
  /** It was given up, and had computed for most of the time that it had, rather than waited for something. */
  readonly hasSpun?: boolean;
  /** Bodies turned out to be asynchronous. */
  readonly loops?: boolean;
  /** Of a serial order: what came of it; null where it failed. */
  readonly serial?: SerialReply | null;
  /** Of overlapping calls: why what came of it is as it should be though no serial order gives it. */
  readonly allowed?: string;
}
