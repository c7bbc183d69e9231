/** A test of threads as an investigation executes it: what it asks and what it hears are those of all programs. */
import type { CutPoint } from '../../data/prediction.ts';
import type { RunResult, SeedPlan, StrategySpec } from '../../data/run.ts';
import { scheduleOfSteps, stepsOf, type ThreadSchedule } from '../../data/threads/schedule.ts';
import type { ThreadTrace } from '../../data/threads/trace.ts';
import type { Recorded, Tried } from '../investigate/attempt.ts';
import type { Executor } from '../investigate/investigate.ts';
import { PCT } from '../strategies/list.ts';
import { pctPlan } from '../strategies/pct.ts';
import { classOf } from './equivalence.ts';
import { needsOf } from './needs.ts';
import type {
  ThreadExecuteOptions,
  ThreadedTest,
  ThreadReply,
  ThreadResult,
  ThreadSpec,
} from './protocol.ts';

/** How a cut point is forced; null: it is not one of this test's. */
export type Forced = (cutPoint: CutPoint) => ThreadSchedule | null;

/** Threads choose in memory that they share, by priorities or at random: what other strategies choose by is not there. */
export function chosenBy({ by, seed, length = 0 }: SeedPlan & { readonly by?: string }): ThreadSpec {
  return by === PCT.name ? { kind: 'pct', ...pctPlan(seed, length) } : { kind: 'random', seed };
}

export class ThreadExecutor implements Executor {
  private readonly subject: ThreadedTest;
  private readonly options: ThreadExecuteOptions;
  private readonly threads: readonly string[];
  private readonly forced: Forced;

  /** `threads`: their names by number, in the recording. */
  constructor(
    subject: ThreadedTest,
    options: ThreadExecuteOptions,
    threads: readonly string[],
    forced: Forced,
  ) {
    this.subject = subject;
    this.options = options;
    this.threads = threads;
    this.forced = forced;
  }

  async execute(spec: StrategySpec): Promise<Tried> {
    const { ran, trace } = await this.subject.execute(this.specOf(spec), this.options);
    return { ...this.resultOf(ran, trace), ...(trace && { threads: trace }) };
  }

  async record(spec: StrategySpec): Promise<Recorded & { readonly result: RunResult }> {
    const { ran, trace } = await this.subject.execute(this.specOf(spec), this.options, true);
    return { result: this.resultOf(ran, trace), ...(trace && { threads: trace }) };
  }

  async executeFresh(spec: StrategySpec): Promise<RunResult> {
    return this.resultOf(await this.subject.executeFresh(this.specOf(spec), this.options), null);
  }

  /** What came of an execution, as an investigation hears it. */
  told({ ran, trace }: Pick<ThreadReply, 'ran' | 'trace'>): RunResult {
    return this.resultOf(ran, trace);
  }

  specOf(spec: StrategySpec): ThreadSpec {
    switch (spec.kind) {
      case 'observed':
        return spec;
      case 'random':
        return chosenBy(spec);
      case 'directed':
        return { kind: 'directed', schedule: this.scheduleOf(spec.schedule.steps, spec.cutPoint) };
      case 'atomic':
      case 'held':
      case 'numbered':
      case 'prefix':
      case 'swapping':
        throw new Error(`threads have no strategy ${spec.kind}`);
    }
  }

  private scheduleOf(steps: readonly string[], cutPoint: CutPoint | null): ThreadSchedule {
    return (cutPoint && this.forced(cutPoint)) ?? scheduleOfSteps(this.threads, steps);
  }

  private resultOf(ran: ThreadResult, trace: ThreadTrace | null): RunResult {
    return {
      outcome: ran.outcome,
      followed: ran.followed,
      patternSeen: ran.followed === 'followed',
      failure: ran.failure,
      steps: ran.taken.length === 0 ? [] : stepsOf(this.threads, ran.taken, ran.deliveries),
      order: trace && classOf(trace),
      breadth: 0,
      ...needsOf(ran.late),
      traceHash: ran.traceHash,
      divergence: null,
      waits: ran.waits,
      ungated: ran.ungated,
      durationMs: ran.durationMs,
    };
  }
}
