/** Warm processes between two tests, of all that share some: idle ones cost memory, so those that were used last are kept. */
import { availableParallelism } from 'node:os';
import type { WorkerClient } from './worker-client.ts';

const MOST_IDLE = availableParallelism();

interface IdleWorker {
  /** What it was started with: with the same it is the same process. */
  readonly key: string;
  readonly client: WorkerClient;
}

export class IdleWorkers<T extends IdleWorker> {
  private idle: T[] = [];

  /** One that fits and lives, which is idle no more; undefined: there is none. */
  take(key: string, fits: (worker: T) => boolean = () => true): T | undefined {
    const found = this.idle.findLast((each) => each.key === key && each.client.alive && fits(each));
    this.idle = this.idle.filter((each) => each !== found);
    return found;
  }

  /** Ends those that fit; whether there was one. */
  async end(fits: (worker: T) => boolean): Promise<boolean> {
    const ending = this.idle.filter(fits);
    this.idle = this.idle.filter((each) => !ending.includes(each));
    await Promise.all(ending.map(({ client }) => client.close()));
    return ending.length > 0;
  }

  async giveBack(worker: T): Promise<void> {
    this.idle.push(worker);
    const over = this.idle.splice(0, Math.max(0, this.idle.length - MOST_IDLE));
    await Promise.all(over.map(({ client }) => client.close()));
  }
}
