/** Tests in which something overlaps in processes that last, where their runner allows for that. */
import type { OverlapInTest } from '../../data/overlap.ts';
import type { StrategySpec } from '../../data/run.ts';
import { isServed } from '../runners/warm-start.ts';
import { loadersOf } from '../subjects/job.ts';
import type { OutputTail } from '../subjects/output.ts';
import { MARGIN_MS, type ProcessSubjectOptions } from '../subjects/process-subject.ts';
import type { ExecuteOptions } from '../subjects/protocol.ts';
import type { WarmPool, WarmWorker } from '../subjects/warm-pool.ts';
import { WorkerDied, WorkerTimeout } from '../subjects/worker-client.ts';
import type { RunReply } from '../subjects/worker-protocol.ts';

/** After so many processes that died or hung, each run has a process of its own. */
const MOST_DEATHS = 3;

export class WarmOverlap {
  private readonly subject: ProcessSubjectOptions;
  private readonly output: OutputTail;
  private readonly pool: WarmPool;
  /** Its process is for it alone: no other test was there before. */
  private readonly isAlone: boolean;
  private worker: WarmWorker | null = null;
  private deaths = 0;

  constructor(subject: ProcessSubjectOptions, output: OutputTail, pool: WarmPool, isAlone = false) {
    this.subject = subject;
    this.output = output;
    this.pool = pool;
    this.isAlone = isAlone;
  }

  /** null: it is to be run in a process of its own. */
  async run(
    spec: StrategySpec,
    options: ExecuteOptions,
    record: boolean,
    overlap: OverlapInTest,
  ): Promise<RunReply | null> {
    const { limits, wantChoices = false, signal, verbose = false } = options;
    const { subject, pool } = this;
    const wish = { subject, verbose };
    if (this.deaths >= MOST_DEATHS || pool.whyExcluded(wish) !== null) return null;
    if (!this.worker?.client.alive)
      this.worker = this.isAlone ? pool.start(wish, this.output) : pool.take(wish, this.output);
    const { recipe, target, runner = 'node-test' } = subject;
    const viaLoaders = isServed(runner) ? false : loadersOf(recipe);
    const test = { entry: recipe.argv[0]!, file: target.file, target, runner, viaLoaders };
    const request = { kind: 'case', ...test, spec, limits, wantChoices, record, overlap } as const;
    try {
      const reply = await this.worker.client.request(request, limits.watchdogMs + MARGIN_MS, signal);
      if ('result' in reply) {
        if (!reply.reusable) await this.drop();
        return reply;
      }
      if ('unfit' in reply && reply.of === 'file') pool.exclude(wish, reply.unfit);
    } catch (error) {
      if (!(error instanceof WorkerDied || error instanceof WorkerTimeout)) throw error;
    }
    this.deaths += 1;
    await this.drop();
    return null;
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = null;
    if (this.isAlone) await worker?.client.close();
    else if (worker?.client.alive) await this.pool.giveBack(worker);
  }

  private async drop(): Promise<void> {
    await this.worker?.client.close();
    this.worker = null;
  }
}
