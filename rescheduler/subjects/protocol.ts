/** What the pipeline knows of a test: it can be recorded, and run under any strategy. */
import type { RunLimits, RunResult, StrategySpec } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import type { Overlaps, ToldOutcome } from '../../data/scenario.ts';
import type { Trace } from '../../data/trace.ts';
import type { ThreadedTest } from '../tokens/protocol.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import type { SubjectSource, SubjectStart } from './source.ts';
import type { StopPoint } from './stops.ts';

export interface ExecuteOptions {
  readonly limits: RunLimits;
  /** Report what was enabled at each step (enumeration needs it). */
  readonly wantChoices?: boolean;
  /** Ends the run and kills its processes; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Pass the program's output through instead of keeping it. */
  readonly verbose?: boolean;
  /** The option by which processes wait for a debugger, which is in our own environment. */
  readonly inspect?: string;
  /** Where a process that waits for a debugger stops. */
  readonly stops?: readonly StopPoint[];
}

export interface Recording {
  readonly trace: Trace;
  readonly result: RunResult;
}

/** One test that can be executed again and again. Runs of one subject must not overlap. */
export interface Subject {
  /** Unique and stable: file, name and, for duplicate names, an ordinal. */
  readonly id: string;
  /** Relative to the working directory. */
  readonly file: string;
  /** `outer > inner` for nested tests. */
  readonly name: string;
  readonly kind: 'harness' | RunnerName | 'script';
  /** How its recorded run ended, which was made already and costs nothing; null or absent: it was not. */
  readonly recordedAs?: RunResult | null;
  /** It is no test: it fails outside of its tests, and its record says why. */
  readonly isBroken?: boolean;
  /** Sources of the user's that ran in the recording without being looked into, relative to the working directory. */
  readonly unseen?: readonly string[];
  /** Sources of the project that its recording loaded, relative to the working directory; absent: not known for sure. */
  readonly loaded?: readonly string[] | null;
  /** Why each run of it takes a process of its own; null or absent: they share one, as far as is known by now. */
  readonly unfit?: string | null;
  /** How to open it again without running the command; null where only the command itself can do it. */
  readonly source: SubjectSource | null;
  /** How it was started, where that takes more than `source` may hold; absent: it does not. */
  readonly started?: SubjectStart;
  /** Runs it, in a warm process where that is sound. */
  execute(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult>;
  /** Runs it in a fresh process with a temporary directory of its own. */
  executeFresh(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult>;
  /** Runs it in a fresh process on plain Node, with the answers of the plan late; null: with none late. */
  executePlain(plan: WitnessPlan | null, options: ExecuteOptions): Promise<RunResult>;
  /** The same with all tests of its file, as the user runs them; absent: it stands alone. */
  executeAmongOthers?(options: ExecuteOptions): Promise<RunResult>;
  /** One run (default: of the observed order) with everything that the monitor sees. */
  record(options: ExecuteOptions, spec?: StrategySpec): Promise<Recording>;
  /** The same where nothing is told of it, in a warm process where that is sound; absent: {@link record} does so. */
  recordWarm?(options: ExecuteOptions, spec: StrategySpec): Promise<Recording>;
  /** Starts a warm process, which its runs or those of others like it take over; absent: it runs in none. */
  warmUp?(options: ExecuteOptions): void;
  /** The same program, with the threads that it starts as what is looked at; absent where it has none. */
  threads?(): ThreadedTest;
  /** Which operations of a specification overlap in it; absent: it is a program of its own. */
  readonly overlaps?: Overlaps | undefined;
  /** No more is spent on it, whatever the user allows for a test. */
  readonly most?:
    | { readonly schedules: number; readonly timeMs: number; readonly findings: number }
    | undefined;
  /** Why outcomes are as they should be though no serial order gives them, as the user says. */
  allowed?(): { reason: string; times: number }[];
  /** From now on the observed order is that of its calls one behind the other; absent: it is not made of calls. */
  observeSerially?(): void;
  /** From now on it is known of each run what came of its calls; null: it did not come so far. Absent: it is not made of calls. */
  tellOutcomes?(): () => ToldOutcome | null;
  /** The same test with these packages looked into as well, which names tasks otherwise; absent: there is no such. */
  lookInto?(packages: readonly string[]): Subject;
  /** The last output of the program under test, at most 64 kB. */
  output(): string;
  /** Ends all processes; nothing may be run afterwards. */
  close(): Promise<void>;
}

/** The subject itself cannot be run: the user's file, harness or command is at fault. One clear line. */
export class SubjectError extends Error {
  /** The user asked for something that is not there; else something that is there does not work. */
  readonly usage: boolean;

  constructor(message: string, usage = false) {
    super(message);
    this.name = 'SubjectError';
    this.usage = usage;
  }
}

/** Name of a subject where several have the same: the second is `name (2)`. */
export function subjectId(file: string, name: string, ordinal: number): string {
  return ordinal === 0 ? `${file}:${name}` : `${file}:${name} (${ordinal + 1})`;
}
