/**
 * Warm processes between two test cases. The next case of the same file, started the same way, takes one over with all
 * modules loaded: cases of a file share a process natively as well.
 */
import { availableParallelism } from 'node:os';
import { SERVED, WITHIN_RUNNER } from '../runners/warm-start.ts';
import type { OutputTail } from './output.ts';
import type { ProcessSubjectOptions } from './process-subject.ts';
import { WorkerClient } from './worker-client.ts';

/** Idle processes cost memory: those that were used last are kept, of all pools together. */
const MOST_IDLE = availableParallelism();

export interface WarmWorker {
  /** What it was started with: with the same it is the same process. */
  readonly key: string;
  readonly client: WorkerClient;
  /** It has run other cases, and may bear their traces. */
  readonly isShared: boolean;
  /** Runs that it has made. */
  runs: number;
}

export interface WarmWish {
  readonly subject: ProcessSubjectOptions;
  readonly verbose: boolean;
}

interface Idle {
  readonly pool: WarmPool;
  readonly worker: WarmWorker;
}

let idle: Idle[] = [];

/** The processes for the cases that one command has recorded; as long as it takes, no file of the user changes. */
export class WarmPool {
  /** Files of which no case can be run warm, and why. */
  private readonly excluded = new Map<string, string>();

  /** A process that no case had before. */
  start(wish: WarmWish, output: OutputTail): WarmWorker {
    const { subject, verbose } = wish;
    const { recipe, config, runner = 'node-test', target } = subject;
    const within = WITHIN_RUNNER[runner];
    const client = new WorkerClient({
      ...{ config, verbose, output, scratch: 'memory', entry: 'case-worker-entry', recipe },
      ...(within ? { within: { module: within, argv: recipe.argv, file: target.file } } : {}),
      ...(SERVED.has(runner) ? { serves: target } : {}),
    });
    return { key: keyOf(wish), client, isShared: false, runs: 0 };
  }

  /** An idle process, or a new one. */
  take(wish: WarmWish, output: OutputTail): WarmWorker {
    const key = keyOf(wish);
    const found = idle.findLast(
      ({ pool, worker }) => pool === this && worker.key === key && worker.client.alive,
    );
    if (!found) return this.start(wish, output);
    idle = idle.filter((each) => each !== found);
    const { worker } = found;
    worker.client.output = output;
    return { ...worker, isShared: true };
  }

  /** A case is over, and has left nothing that is known to be in the way of another. */
  async giveBack(worker: WarmWorker): Promise<void> {
    idle.push({ pool: this, worker });
    const over = idle.splice(0, Math.max(0, idle.length - MOST_IDLE));
    await Promise.all(over.map(({ worker: { client } }) => client.close()));
  }

  /** No case of the file can be run warm. */
  exclude(wish: WarmWish, why: string): void {
    this.excluded.set(keyOf(wish), why);
  }

  /** Why no case of the file can be run warm, as far as that is known. */
  whyExcluded(wish: WarmWish): string | null {
    return this.excluded.get(keyOf(wish)) ?? null;
  }
}

/** Under a runner of many files the process is for the cases of one. */
const keyOf = ({ subject: { recipe, config, runner = 'node-test', target }, verbose }: WarmWish): string =>
  JSON.stringify([recipe, config, verbose, WITHIN_RUNNER[runner] || SERVED.has(runner) ? target.file : null]);
