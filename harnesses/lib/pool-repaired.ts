import { Mutex } from 'async-mutex';
import { ObjectPool } from './pool.ts';
import type { Factory } from './pool-factory.ts';

/** The semantics of commons-pool 1.3: every operation is one synchronised section, `close` included. */
export class RepairedObjectPool<T> extends ObjectPool<T> {
  readonly #lock = new Mutex();

  override async borrow(): Promise<T> {
    return await this.#lock.runExclusive(() => super.borrow());
  }

  override async giveBack(object: T): Promise<void> {
    await this.#lock.runExclusive(async () => {
      if (this.closed) return;
      await super.giveBack(object);
    });
  }

  override async add(): Promise<void> {
    await this.#lock.runExclusive(() => super.add());
  }

  override async setFactory(factory: Factory<T>): Promise<void> {
    await this.#lock.runExclusive(() => super.setFactory(factory));
  }

  override async close(): Promise<void> {
    await this.#lock.runExclusive(() => super.close());
  }
}
