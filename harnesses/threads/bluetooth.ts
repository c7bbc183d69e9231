/**
 * The Bluetooth driver of KISS and iterative context bounding: one thread stops the driver while another one begins
 * a request. Bad: the request asks whether the driver is stopping, then counts itself; stopping does not see it in
 * between, and the request works on a driver that has stopped. Good: it counts itself first.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, CountDownLatch, int32, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = {
  pendingIo: int32(),
  stopping: int32(),
  stoppingEvent: CountDownLatch.part(1),
  stopped: int32(),
};

class Driver {
  protected readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  /** The driver itself counts as one until it is stopped. */
  load(): void {
    this.memory.pendingIo[0] = 1;
  }

  request(): void {
    if (!this.enter()) return;
    assert.equal(this.memory.stopped[0], 0, 'a request works on a driver that has stopped');
    this.leave();
  }

  stop(): void {
    Atomics.store(this.memory.stopping, 0, 1);
    this.leave();
    this.memory.stoppingEvent.wait();
    this.memory.stopped[0] = 1;
  }

  protected enter(): boolean {
    if (Atomics.load(this.memory.stopping, 0)) return false;
    Atomics.add(this.memory.pendingIo, 0, 1);
    return true;
  }

  protected leave(): void {
    if (Atomics.sub(this.memory.pendingIo, 0, 1) === 1) this.memory.stoppingEvent.countDown();
  }
}

class SafeDriver extends Driver {
  protected override enter(): boolean {
    Atomics.add(this.memory.pendingIo, 0, 1);
    if (!Atomics.load(this.memory.stopping, 0)) return true;
    this.leave();
    return false;
  }
}

sharedTwins<Driver>({
  name: 'bluetooth',
  bad: record(fields, (memory) => new Driver(memory)),
  ok: record(fields, (memory) => new SafeDriver(memory)),
  initial: (driver) => driver.load(),
  threads: { requester: (driver) => driver.request(), stopper: (driver) => driver.stop() },
  check: () => {},
  expect: { order: true },
});
