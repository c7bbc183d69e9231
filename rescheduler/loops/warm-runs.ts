/**
 * Executions of a program in a process that lasts, as long as that process behaves like a fresh one: it must take the
 * steps of an execution in a process of its own, twice, before it is believed.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { LoaderConfig } from '../../monitor/loader/index.ts';
import { type CaseId, loaderOption, type Recipe, readWhole } from '../subjects/job.ts';
import type { OutputTail } from '../subjects/output.ts';
import { WorkerClient, WorkerDied, WorkerTimeout } from '../subjects/worker-client.ts';
import type { ProgramLeft } from '../subjects/worker-protocol.ts';
import type { ThreadExecuteOptions } from '../tokens/protocol.ts';
import { type Left, notesOf } from './ending.ts';
import type { ExecutionJob } from './execution.ts';
import { type Note, readNotes } from './notes.ts';

/** After so many processes that died or hung, each execution has a process of its own. */
const MOST_DEATHS = 3;
const RUNS_PER_PROCESS = 1000;
/** Start and end of an execution may take this long beyond its watchdog. */
const MARGIN_MS = 5000;

export class WarmRuns {
  private readonly recipe: Recipe;
  private readonly target: CaseId | null;
  private readonly config: LoaderConfig;
  private readonly output: OutputTail;
  private process: WorkerClient | null = null;
  private runs = 0;
  private deaths = 0;
  /** Program points that this process has told: it tells them once. */
  private points: Note[] = [];
  /** Why executions are not warm; null as long as they are. */
  unfit: string | null;

  constructor(recipe: Recipe, target: CaseId | null, config: LoaderConfig, output: OutputTail) {
    this.recipe = recipe;
    this.target = target;
    this.config = config;
    this.output = output;
    const loader = loaderOption(recipe);
    this.unfit = loader ? `the option ${loader}` : null;
  }

  /** What an execution has left, or null: it is to have a process of its own. */
  async run(
    orders: ExecutionJob,
    { signal, verbose = false, watchdogMs }: ThreadExecuteOptions,
  ): Promise<ProgramLeft | null> {
    if (this.unfit !== null) return null;
    const { config, output, recipe, target } = this;
    if (!this.process?.alive || this.runs >= RUNS_PER_PROCESS) {
      await this.close();
      const entry = '../loops/gated/warm-entry';
      this.process = new WorkerClient({ config, verbose, output, scratch: 'memory', entry, recipe });
      this.runs = 0;
      this.points = [];
    }
    this.runs += 1;
    const out = join(this.process.folder, 'result');
    const { argv } = recipe;
    const request = { kind: 'program', file: argv[0]!, argv, target, orders, out } as const;
    try {
      const reply = await this.process.request(request, watchdogMs + MARGIN_MS, signal);
      if ('left' in reply) {
        this.points.push(...reply.notes.filter((note) => 'sites' in note));
        const notes = [...this.points, ...reply.notes.filter((note) => !('sites' in note))];
        if (!reply.reusable) await this.close();
        return { ...reply, notes };
      }
      this.unfit = 'unfit' in reply ? reply.unfit : 'error' in reply ? reply.error.message : 'no answer';
    } catch (error) {
      if (!(error instanceof WorkerDied || error instanceof WorkerTimeout)) throw error;
      // A deadlock is told by the process that ends with it.
      if (existsSync(out)) {
        const notes = existsSync(notesOf(out)) ? readNotes(notesOf(out)) : [];
        const left = readWhole<Left>(out);
        const points = this.points;
        await this.close();
        return { left, notes: [...points, ...notes], reusable: false };
      }
      if (++this.deaths >= MOST_DEATHS) this.unfit = error.message;
    }
    await this.close();
    return null;
  }

  async close(): Promise<void> {
    await this.process?.close();
    this.process = null;
  }
}
