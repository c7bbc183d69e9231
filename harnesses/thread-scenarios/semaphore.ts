/** A semaphore that threads wait for. Bad: who releases it reads and then writes. Good: one step adds. */
import { threadScenario } from '../api.ts';

class Semaphore {
  readonly permits: Int32Array;

  constructor(permits: Int32Array) {
    this.permits = permits;
  }

  tryAcquire(): boolean {
    const { permits } = this;
    for (let left = Atomics.load(permits, 0); left > 0; left = Atomics.load(permits, 0))
      if (Atomics.compareExchange(permits, 0, left, left - 1) === left) return true;
    return false;
  }

  acquire(): void {
    while (!this.tryAcquire()) Atomics.wait(this.permits, 0, 0);
  }

  release(): void {
    Atomics.store(this.permits, 0, Atomics.load(this.permits, 0) + 1);
    Atomics.notify(this.permits, 0, 1);
  }

  get left(): number {
    return this.permits[0]!;
  }
}

class SafeSemaphore extends Semaphore {
  override release(): void {
    Atomics.add(this.permits, 0, 1);
    Atomics.notify(this.permits, 0, 1);
  }
}

for (const [name, Class] of Object.entries({ bad: Semaphore, ok: SafeSemaphore }))
  threadScenario({
    name: `semaphore/${name}`,
    memory: () => new Int32Array(new SharedArrayBuffer(4)),
    attach: (permits) => new Class(permits),
    operations: {
      acquire: { run: (semaphore) => semaphore.acquire() },
      tryAcquire: { run: (semaphore) => semaphore.tryAcquire() },
      release: { run: (semaphore) => semaphore.release() },
    },
    observe: (semaphore) => semaphore.left,
  });
