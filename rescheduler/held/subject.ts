/** What overlaps in a test as a subject: judged by what its serial orders give, as a scenario is. */
import type { OverlapPlan } from '../../data/overlap.ts';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { RunnerName } from '../../data/runners.ts';
import type { ScenarioRun } from '../../data/scenario.ts';
import type { LoaderConfig } from '../../monitor/loader/config.ts';
import { type AskScenario, Oracle, USUAL_DIFFERENCES } from '../scenarios/oracle.ts';
import { lookingInto } from '../subjects/config.ts';
import type { CaseId, Recipe } from '../subjects/job.ts';
import { ProcessRuns, type ProcessSubjectOptions } from '../subjects/process-subject.ts';
import {
  type ExecuteOptions,
  type Recording,
  type Subject,
  SubjectError,
  subjectId,
} from '../subjects/protocol.ts';
import { processSource, type SubjectSource } from '../subjects/source.ts';
import { fileName } from '../subjects/stable-name.ts';
import { WarmPool } from '../subjects/warm-pool.ts';
import type { RunReply } from '../subjects/worker-protocol.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import { WarmOverlap } from './warm.ts';

/** They are many, and what is found is mostly found at once. */
const MOST = { schedules: 12, timeMs: 10_000, findings: 1 };

/** What overlaps in which test. */
export interface OverlappingCase {
  readonly runner: RunnerName;
  readonly id: CaseId;
  /** How the test is run alone. */
  readonly recipe: Recipe;
  readonly plan: OverlapPlan;
  readonly keys: 'same' | 'other';
  /** What overlaps, for people: unique in the test. */
  readonly told: string;
  /** By which file the test is told; by default that in which it is written. */
  readonly place?: string;
  /** Shared by those whose serial orders are the same. */
  readonly oracle?: Oracle;
}

export const oracleOf = ({ kind, calls }: OverlapPlan): Oracle =>
  new Oracle(calls.length, [], null, { ...USUAL_DIFFERENCES, answers: kind === 'calls' });

export class HeldSubject implements Subject {
  readonly kind: RunnerName;
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly source: SubjectSource | null;
  readonly overlaps: NonNullable<Subject['overlaps']>;
  readonly most = MOST;
  private readonly own: OverlappingCase;
  private readonly plan: OverlapPlan;
  private readonly oracle: Oracle;
  private readonly runs: ProcessRuns;
  private readonly warm: WarmOverlap;
  private readonly subject: ProcessSubjectOptions;
  private readonly pool: WarmPool;
  /** Serial orders were executed in a fresh process, too. */
  private again: Promise<void> | null = null;
  private isSerial = false;
  private readonly reasons = new Map<string, number>();

  constructor(own: OverlappingCase, config: LoaderConfig, pool: WarmPool) {
    const { runner, id, recipe, plan, keys, told, place = id.file, oracle } = own;
    this.own = own;
    this.kind = runner;
    this.plan = plan;
    this.file = fileName(config.cwd, place);
    this.name = `${id.name}: ${told}`;
    this.id = subjectId(this.file, this.name, id.ordinal);
    const of = processSource(recipe, { kind: runner, ...id });
    this.source = of && { ...of, kind: 'overlap', runner, plan, keys, told };
    this.overlaps = {
      spec: plan.kind,
      operations: plan.calls.map(({ operation }) => operation),
      keys,
      sequel: null,
    };
    this.oracle = oracle ?? oracleOf(plan);
    this.subject = { recipe, target: id, config, runner };
    this.pool = pool;
    this.runs = new ProcessRuns(this.subject);
    this.warm = this.warmIn(false);
  }

  lookInto(packages: readonly string[]): Subject {
    const { oracle: _, ...own } = this.own;
    return new HeldSubject(own, lookingInto(this.subject.config, packages), new WarmPool());
  }

  allowed(): { reason: string; times: number }[] {
    return [...this.reasons].map(([reason, times]) => ({ reason, times }));
  }

  observeSerially(): void {
    this.isSerial = true;
  }

  async execute(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    return (await this.judge(spec, options, false)).result;
  }

  async record(options: ExecuteOptions, spec: StrategySpec = { kind: 'observed' }): Promise<Recording> {
    const { result, trace } = await this.judge(spec, options, true);
    if (trace) return { result, trace };
    throw new SubjectError(`nothing was recorded: ${result.failure?.message ?? result.outcome}`);
  }

  async executeFresh(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    await this.known(options);
    await this.knownAgain(options);
    return (await this.fresh(spec, options, false, this.judged(spec.kind === 'observed'))).result;
  }

  async executePlain(plan: WitnessPlan | null, options: ExecuteOptions): Promise<RunResult> {
    await this.known(options);
    return this.runs.plain(plan, options, { plan: this.plan, run: this.judged(plan === null) });
  }

  output(): string {
    return this.runs.output();
  }

  close(): Promise<void> {
    return this.warm.close();
  }

  private async judge(spec: StrategySpec, options: ExecuteOptions, record: boolean): Promise<RunReply> {
    await this.known(options);
    const reply = await this.ask(spec, options, record, this.judged(spec.kind === 'observed'));
    const { allowed } = reply;
    if (allowed !== undefined) this.reasons.set(allowed, 1 + (this.reasons.get(allowed) ?? 0));
    return reply;
  }

  private judged(isObserved: boolean): ScenarioRun {
    return { kind: 'judged', isSerial: isObserved && this.isSerial, serial: this.oracle.outcomes };
  }

  private known(options: ExecuteOptions): Promise<void> {
    const ask: AskScenario = (run, spec = { kind: 'observed' }) => this.ask(spec, options, false, run);
    return this.oracle.know(ask);
  }

  private knownAgain(options: ExecuteOptions): Promise<void> {
    this.again ??= this.sampleAgain(options);
    return this.again;
  }

  private async sampleAgain(options: ExecuteOptions): Promise<void> {
    const alone = this.warmIn(true);
    try {
      await this.oracle.again((run) => this.ask({ kind: 'observed' }, options, false, run, alone));
    } finally {
      await alone.close();
    }
  }

  private warmIn(isAlone: boolean): WarmOverlap {
    return new WarmOverlap(this.subject, this.runs.tail, this.pool, isAlone);
  }

  private async ask(
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
    run: ScenarioRun,
    warm = this.warm,
  ): Promise<RunReply> {
    const overlap = { plan: this.plan, run };
    return (await warm.run(spec, options, record, overlap)) ?? this.fresh(spec, options, record, run);
  }

  private async fresh(
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
    run: ScenarioRun,
  ): Promise<RunReply> {
    const overlap = { plan: this.plan, run };
    return { ...(await this.runs.overlapping(spec, options, record, overlap)), reusable: false };
  }
}
