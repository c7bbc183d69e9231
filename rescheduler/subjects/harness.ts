/** Harnesses as subjects: each in a warm worker process of its own, confirmed in fresh ones. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { ScenarioRun, ToldOutcome } from '../../data/scenario.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { entryUrl } from '../entry.ts';
import { plainFailure } from '../failure.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import { lookingInto } from './config.ts';
import type { Recipe } from './job.ts';
import { withoutAnswer } from './no-answer.ts';
import { OutputTail } from './output.ts';
import { ProcessRuns } from './process-subject.ts';
import { type ExecuteOptions, type Recording, type Subject, SubjectError, subjectId } from './protocol.ts';
import type { ScratchRoots } from './scratch.ts';
import type { SubjectSource } from './source.ts';
import { WorkerClient, WorkerDied, WorkerTimeout } from './worker-client.ts';
import type { RunReply, WorkerReply } from './worker-protocol.ts';

/** A worker is replaced after so many runs, whatever its memory says. */
const RUNS_PER_WORKER = 20_000;
/** Setup, check and start-up of a process may take this long beyond the watchdog of the run itself. */
export const MARGIN_MS = 10_000;

/** How a harness is run on plain Node. */
const PLAIN_RECIPE: Omit<Recipe, 'cwd'> = {
  execPath: process.execPath,
  execArgv: ['--no-warnings'],
  argv: [fileURLToPath(entryUrl('./harness-plain-entry', import.meta.url))],
  runner: false,
  env: {},
};

/** One harness of a file. */
export class HarnessSubject implements Subject {
  readonly kind = 'harness';
  readonly id: string;
  readonly file: string;
  readonly name: string;
  readonly source: SubjectSource;
  protected readonly path: string;
  protected readonly config: LoaderConfig;
  protected tail = new OutputTail();
  protected warm: WorkerClient | null = null;
  private runs = 0;
  private scratch: keyof ScratchRoots = 'memory';

  constructor(path: string, name: string, config: LoaderConfig) {
    this.path = path;
    this.file = relative(config.cwd, path);
    this.name = name;
    this.id = subjectId(this.file, name, 0);
    this.config = config;
    this.source = { kind: this.kind, file: path, name };
  }

  async execute(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    return (await this.runWarm(spec, options, false)).result;
  }

  async record(options: ExecuteOptions, spec: StrategySpec = { kind: 'observed' }): Promise<Recording> {
    let reply = await this.runWarm(spec, options, true);
    const failed = reply.result.outcome !== 'pass' && reply.result.outcome !== 'unknown';
    if (failed && spec.kind === 'observed' && this.scratch === 'memory') {
      // A program that moves files between its folder and the temporary one needs both on one device.
      this.scratch = 'disk';
      await this.drop();
      reply = await this.runWarm(spec, options, true);
    }
    const { result, trace } = reply;
    if (trace) return { result, trace };
    const why = result.failure?.message ?? result.outcome;
    throw new SubjectError(`${this.id}: nothing was recorded: ${why}`);
  }

  async executeFresh(spec: StrategySpec, options: ExecuteOptions): Promise<RunResult> {
    const worker = this.start(options, 'disk');
    try {
      await this.prepare(worker, options, true);
      return (await this.run(worker, spec, options, false)).result;
    } finally {
      await worker.close();
    }
  }

  async executePlain(plan: WitnessPlan | null, options: ExecuteOptions): Promise<RunResult> {
    const { path: file, name, config, tail } = this;
    const recipe = { ...PLAIN_RECIPE, cwd: config.cwd };
    const scenario = this.judged(plan === null);
    const target = { file, name, ordinal: 0 };
    return new ProcessRuns({ recipe, target, config, ...(scenario && { scenario }) }, tail).plain(
      plan,
      options,
    );
  }

  lookInto(packages: readonly string[]): Subject {
    return new HarnessSubject(this.path, this.name, lookingInto(this.config, packages));
  }

  output(): string {
    return this.tail.toString();
  }

  close(): Promise<void> {
    return this.drop();
  }

  protected async drop(): Promise<void> {
    await this.warm?.close();
    this.warm = null;
  }

  protected startWarm(options: ExecuteOptions, scratch: keyof ScratchRoots): WorkerClient {
    return this.start(options, scratch);
  }

  /** See {@link Subject.observeSerially}. */
  observeSerially?(): void;
  /** See {@link Subject.tellOutcomes}. */
  tellOutcomes?(): () => ToldOutcome | null;
  allowed?(): { reason: string; times: number }[];
  readonly overlaps?: Subject['overlaps'];
  readonly most?: Subject['most'];

  /** Before a run in a worker, `isFresh` and used for nothing else. */
  protected async prepare(
    _worker: WorkerClient,
    _options: ExecuteOptions,
    _isFresh: boolean,
  ): Promise<void> {}

  /** An answer came. */
  protected heard(_reply: RunReply): void {}

  /** What a run is given by which to judge what came of it. `isObserved`: nothing is forced in it. */
  protected judged(_isObserved: boolean): ScenarioRun | undefined {
    return undefined;
  }

  protected start(options: ExecuteOptions, scratch: keyof ScratchRoots): WorkerClient {
    this.tail = new OutputTail();
    return new WorkerClient({
      config: this.config,
      output: this.tail,
      verbose: options.verbose ?? false,
      scratch,
    });
  }

  private async runWarm(spec: StrategySpec, options: ExecuteOptions, record: boolean): Promise<RunReply> {
    const worker = await this.warmed(options);
    const reply = await this.run(worker, spec, options, record);
    if (!reply.reusable) await this.drop();
    return reply;
  }

  /** The warm process, ready for a run. */
  protected async warmed(options: ExecuteOptions): Promise<WorkerClient> {
    if (!this.warm?.alive || this.runs >= RUNS_PER_WORKER) {
      await this.drop();
      this.warm = this.startWarm(options, this.scratch);
      this.runs = 0;
    }
    this.runs += 1;
    await this.prepare(this.warm, options, false);
    return this.warm;
  }

  private run(
    worker: WorkerClient,
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
  ): Promise<RunReply> {
    return this.ask(worker, spec, options, record, this.judged(spec.kind === 'observed'));
  }

  /** @throws SubjectError where the user's file is at fault. */
  protected async ask(
    worker: WorkerClient,
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
    scenario?: ScenarioRun,
  ): Promise<RunReply> {
    const { limits, wantChoices = false, signal, stops } = options;
    const { path: file, name } = this;
    const request = { kind: 'run', file, name, spec, limits, wantChoices, record, stops, scenario } as const;
    const started = performance.now();
    let reply: WorkerReply;
    try {
      reply = await worker.request(request, limits.watchdogMs + MARGIN_MS, signal);
    } catch (error) {
      const result = deadResult(error, performance.now() - started);
      if (!result) throw error;
      return { result, trace: null, reusable: false };
    }
    if ('error' in reply) throw new SubjectError(reply.error.message.replaceAll(this.path, this.file));
    this.heard(reply as RunReply);
    return reply as RunReply;
  }
}

/** A run that ended with its process; null when the error says something else. */
function deadResult(error: unknown, durationMs: number): RunResult | null {
  if (error instanceof WorkerTimeout) {
    const failure = plainFailure('timeout', 'Timeout', 'the process did not answer and was killed');
    return withoutAnswer('unknown', failure, durationMs);
  }
  if (!(error instanceof WorkerDied)) return null;
  return withoutAnswer('fail', plainFailure('exception', 'ProcessEnded', describeDeath(error)), durationMs);
}

export function describeDeath(error: unknown): string {
  if (error instanceof WorkerTimeout) return 'no answer in time';
  return error instanceof Error ? error.message : String(error);
}
