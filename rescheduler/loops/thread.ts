/** What the threads of an execution are given, and what each of them is. */
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import type { ThreadLoader } from '../../monitor/threads/load.ts';
import type { Views } from '../../monitor/threads/views.ts';
import type { GatedJob } from '../subjects/job.ts';
import type { Control } from '../tokens/control.ts';
import type { ProgramHolder } from './gated/program-holder.ts';
import type { Notes } from './notes.ts';
import type { TurnHolder } from './turn-holder.ts';

/** What every thread of an execution is given. */
export interface ThreadExecution {
  readonly control: Control;
  /** Messages between threads, and what comes with them; see lines.ts. */
  readonly lines: Int32Array;
  readonly mail: Int32Array;
  /** See wait-async.ts. */
  readonly asyncWaiters: Int32Array;
  /** See broadcasts.ts. */
  readonly broadcasts: Int32Array;
  readonly config: LoaderConfig;
  /** What the execution leaves. */
  readonly out: string;
  /** The file of {@link Notes}. */
  readonly notes: string;
  /** See tokens/file-cells.ts. */
  readonly fileTable: Int32Array;
  /** Threads, at most. */
  readonly most: number;
  /** Threads take part in one execution after the other, and the memory is the same. */
  readonly isWarm: boolean;
  /** Of the execution that is on. */
  plan: ExecutionPlan;
}

export interface ExecutionPlan {
  /** Names of threads whose numbers are settled: those of the recorded run. */
  readonly names: readonly string[];
  /** Null: answers of the host and timers come when they come. */
  readonly gated: GatedJob | null;
  readonly callsAt: readonly string[] | null;
}

/** A thread's own place in an execution. */
export interface ThreadSlot {
  readonly execution: ThreadExecution;
  readonly self: number;
  readonly name: string;
  /** The thread that made this one. */
  readonly parent: number;
}

/** A thread that takes part. */
export interface Thread extends ThreadSlot {
  readonly holder: TurnHolder | ProgramHolder;
  readonly views: Views;
  readonly notes: Notes;
  readonly loader: ThreadLoader;
  /** The program point of the operation of `Atomics` that is being called. */
  pointHere(): number;
}
