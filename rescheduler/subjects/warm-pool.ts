/**
 * Warm processes between two test cases. The next case that was started the same way takes one over with all modules loaded:
 * cases of a file share a process natively as well, and those of all files where the runner has them in one.
 */
import { isServed, withinRunner } from '../runners/warm-start.ts';
import { IdleWorkers } from './idle-workers.ts';
import type { OutputTail } from './output.ts';
import type { ProcessSubjectOptions } from './process-subject.ts';
import { WorkerClient } from './worker-client.ts';

export interface WarmWorker {
  /** What it was started with: with the same it is the same process. */
  readonly key: string;
  readonly client: WorkerClient;
  /** It has run other cases or loaded their files, and may bear their traces. */
  readonly isShared: boolean;
  /** Runs that it has made. */
  runs: number;
}

export interface WarmWish {
  readonly subject: ProcessSubjectOptions;
  readonly verbose: boolean;
}

interface ShelvedWorker extends WarmWorker {
  readonly pool: WarmPool;
}

/** Of all pools together. */
const idle = new IdleWorkers<ShelvedWorker>();

/** The processes for the cases that one command has recorded; as long as it takes, no file of the user changes. */
export class WarmPool {
  /** Files of which no case can be run warm, and why. */
  private readonly excluded = new Map<string, string>();
  /** Files whose cases have their temporary files on the disk: a folder in memory lists what is in it in another order. */
  private readonly onDisk = new Set<string>();

  /** What was recorded of a case bore the traces of others: alone it took other steps, and did so here. */
  recordsOthers = false;

  /** A process that no case had before, and that has not loaded the file of this one. */
  start(wish: WarmWish, output: OutputTail): WarmWorker {
    return this.startFor(wish, output, wish.subject.target.file);
  }

  /** @param only the file that a process within the command line of a runner is for; null: for all that it loads. */
  private startFor(wish: WarmWish, output: OutputTail, only: string | null): WarmWorker {
    const { subject, verbose } = wish;
    const { recipe, config, runner = 'node-test', target } = subject;
    const within = withinRunner(runner);
    const scratch = this.onDisk.has(fileOf(wish)) ? 'disk' : 'memory';
    const client = new WorkerClient({
      ...{ config, verbose, output, scratch, entry: 'case-worker-entry', recipe },
      ...(within ? { within: { module: within, argv: recipe.argv, file: only ?? '' } } : {}),
      ...(isServed(runner) ? { serves: target } : {}),
    });
    return { key: this.processOf(wish), client, isShared: within !== null && only === null, runs: 0 };
  }

  /** Starts a process for whoever comes first. */
  prepare(wish: WarmWish, output: OutputTail): void {
    void this.giveBack(this.startFor(wish, output, null));
  }

  /** An idle process, or a new one. */
  take(wish: WarmWish, output: OutputTail): WarmWorker {
    const key = this.processOf(wish);
    const found = idle.take(key, ({ pool }) => pool === this);
    if (!found) return this.startFor(wish, output, null);
    const { pool: _, ...worker } = found;
    worker.client.output = output;
    return { ...worker, isShared: true };
  }

  /** A case is over, and has left nothing that is known to be in the way of another. */
  giveBack(worker: WarmWorker): Promise<void> {
    return idle.giveBack({ ...worker, pool: this });
  }

  /** Ends the idle ones, which may hold what another process asks for as it is loaded: a port, a lock. Whether there was one. */
  makeRoom(): Promise<boolean> {
    return idle.end(({ pool }) => pool === this);
  }

  /** Processes for cases of the file have their temporary files on the disk from now on. False where they had already. */
  moveToDisk(wish: WarmWish): boolean {
    const file = fileOf(wish);
    if (this.onDisk.has(file)) return false;
    this.onDisk.add(file);
    return true;
  }

  /** Of the cases of which files a process is: a served one of the file that its runner was started for. */
  private processOf(wish: WarmWish): string {
    const { recipe, config, runner = 'node-test', target } = wish.subject;
    const file = isServed(runner) ? target.file : null;
    return JSON.stringify([recipe, config, runner, wish.verbose, file, this.onDisk.has(fileOf(wish))]);
  }

  /** No case of the file can be run warm. */
  exclude(wish: WarmWish, why: string): void {
    this.excluded.set(fileOf(wish), why);
  }

  /** Why no case of the file can be run warm, as far as that is known. */
  whyExcluded(wish: WarmWish): string | null {
    return this.excluded.get(fileOf(wish)) ?? null;
  }
}

const fileOf = ({ subject: { recipe, config, target } }: WarmWish): string =>
  JSON.stringify([recipe, config, target.file]);
