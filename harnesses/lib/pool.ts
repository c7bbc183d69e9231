/**
 * An object pool after commons-pool 1.2, as far as its factory is concerned: every operation asks the
 * `factory` field again for each step, although `close` and `setFactory` may have changed it meanwhile.
 */
import type { Factory } from './pool-factory.ts';

/** The pool is not in a state that allows the call: closed, or its objects are in use. */
export class PoolStateError extends Error {
  override name = 'PoolStateError';
}

export class ObjectPool<T> {
  factory: Factory<T> | null;
  idle: T[] = [];
  active = 0;
  closed = false;

  constructor(factory: Factory<T>) {
    this.factory = factory;
  }

  async borrow(): Promise<T> {
    this.assertOpen();
    const object = this.idle.pop() ?? (await this.factory!.make());
    await this.factory!.activate(object);
    this.active += 1;
    return object;
  }

  async giveBack(object: T): Promise<void> {
    await this.factory!.validate(object);
    await this.factory!.passivate(object);
    this.active -= 1;
    this.idle.push(object);
  }

  async add(): Promise<void> {
    this.assertOpen();
    const object = await this.factory!.make();
    await this.factory!.passivate(object);
    this.idle.push(object);
  }

  async setFactory(factory: Factory<T>): Promise<void> {
    this.assertOpen();
    if (this.active > 0) throw new PoolStateError('objects are already active');
    this.idle = [];
    this.factory = factory;
  }

  async close(): Promise<void> {
    this.idle = [];
    this.factory = null;
    this.closed = true;
  }

  protected assertOpen(): void {
    if (this.closed) throw new PoolStateError('pool not open');
  }
}
