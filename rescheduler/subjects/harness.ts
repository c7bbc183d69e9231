/** Harnesses as subjects: each in a warm worker process of its own, confirmed in fresh ones. */
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunResult, StrategySpec } from '../../data/run.ts';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { entryUrl } from '../entry.ts';
import { plainFailure } from '../failure.ts';
import { ThreadSubject } from '../tokens/subject.ts';
import type { WitnessPlan } from '../witness/plan.ts';
import { loaderConfigOf, type SubjectConfig } from './config.ts';
import { findHarnessFiles } from './files.ts';
import type { Recipe } from './job.ts';
import { withoutAnswer } from './no-answer.ts';
import { OutputTail } from './output.ts';
import { ProcessRuns } from './process-subject.ts';
import { type ExecuteOptions, type Recording, type Subject, SubjectError, subjectId } from './protocol.ts';
import type { ScratchRoots } from './scratch.ts';
import type { SubjectSource } from './source.ts';
import { WorkerClient, WorkerDied, WorkerTimeout } from './worker-client.ts';
import type { ListReply, RunReply, WorkerReply } from './worker-protocol.ts';

export interface HarnessOptions extends SubjectConfig {
  readonly verbose?: boolean;
}

/** A worker is replaced after so many runs, whatever its memory says. */
const RUNS_PER_WORKER = 20_000;
/** Setup, check and start-up of a process may take this long beyond the watchdog of the run itself. */
const MARGIN_MS = 10_000;

/**
 * Finds the harnesses in files and folders. A file that is named must register one; in folders, files that
 * do not use the harness API are passed over without being run.
 * @throws SubjectError with one line.
 */
export async function discoverHarnesses(
  paths: readonly string[],
  options: HarnessOptions = {},
): Promise<Subject[]> {
  return [...(await discoverAll(paths, options)).tasks];
}

/** The same with harnesses of threads. */
export async function discoverAll(
  paths: readonly string[],
  options: HarnessOptions = {},
): Promise<{ tasks: readonly Subject[]; threads: readonly ThreadSubject[] }> {
  const config = loaderConfigOf(options);
  const { cwd } = config;
  const output = new OutputTail();
  const start = () =>
    new WorkerClient({ config, output, scratch: 'disk', verbose: options.verbose ?? false });
  let worker = start();
  const found: { tasks: Subject[]; threads: ThreadSubject[] } = { tasks: [], threads: [] };
  try {
    for (const { file, named } of findHarnessFiles(paths, cwd)) {
      const shown = relative(cwd, file);
      let reply: WorkerReply;
      try {
        reply = await worker.request({ kind: 'list', file }, MARGIN_MS);
      } catch (error) {
        throw new SubjectError(`${shown}: loading it ended the process: ${describeDeath(error)}`);
      }
      if ('error' in reply) throw new SubjectError(reply.error.message.replaceAll(file, shown));
      const { harnesses, threads } = reply as ListReply;
      if (named && !harnesses?.length && threads.length === 0)
        throw new SubjectError(`${shown}: no harness: the file does not call harness({ … })`, true);
      for (const { name } of harnesses ?? []) found.tasks.push(new HarnessSubject(file, name, config));
      for (const name of threads) found.threads.push(new ThreadSubject(file, name, config));
      if (!worker.alive) worker = start();
    }
  } finally {
    await worker.close();
  }
  return found;
}

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
  private readonly path: string;
  private readonly config: LoaderConfig;
  private tail = new OutputTail();
  private warm: WorkerClient | null = null;
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
      await this.close();
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
      return (await this.run(worker, spec, options, false)).result;
    } finally {
      await worker.close();
    }
  }

  executePlain(plan: WitnessPlan | null, options: ExecuteOptions): Promise<RunResult> {
    const { path: file, name, config } = this;
    const recipe = { ...PLAIN_RECIPE, cwd: config.cwd };
    const runs = new ProcessRuns({ recipe, target: { file, name, ordinal: 0 }, config }, this.tail);
    return runs.plain(plan, options);
  }

  output(): string {
    return this.tail.toString();
  }

  async close(): Promise<void> {
    await this.warm?.close();
    this.warm = null;
  }

  private start(options: ExecuteOptions, scratch: keyof ScratchRoots): WorkerClient {
    this.tail = new OutputTail();
    return new WorkerClient({
      config: this.config,
      output: this.tail,
      verbose: options.verbose ?? false,
      scratch,
    });
  }

  private async runWarm(spec: StrategySpec, options: ExecuteOptions, record: boolean): Promise<RunReply> {
    if (!this.warm?.alive || this.runs >= RUNS_PER_WORKER) {
      await this.close();
      this.warm = this.start(options, this.scratch);
      this.runs = 0;
    }
    this.runs += 1;
    const reply = await this.run(this.warm, spec, options, record);
    if (!reply.reusable) await this.close();
    return reply;
  }

  private async run(
    worker: WorkerClient,
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
  ): Promise<RunReply> {
    const { limits, wantChoices = false, signal, stops } = options;
    const request = {
      kind: 'run',
      file: this.path,
      name: this.name,
      spec,
      limits,
      wantChoices,
      record,
      stops,
    } as const;
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

function describeDeath(error: unknown): string {
  if (error instanceof WorkerTimeout) return 'no answer in time';
  return error instanceof Error ? error.message : String(error);
}
