/**
 * Singularity's `Dispatch` (CHESS, figure 3): a thread halts until its notification arrives. Bad: `halt` returns at
 * once while any notification is pending, so that the thread spins while another one's is. Good: it sleeps until its
 * own is.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const DISK = 0;
const CLOCK = 1;
/** A thread that comes back so often without having slept or done anything makes no progress. */
const FRUITLESS = 3;

const fields = { monitor: Monitor.part, pending: int32(2) };

class Platform {
  protected readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  /** The hardware has something for `id`. */
  raise(id: number): void {
    const { monitor, pending } = this.memory;
    monitor.synchronized(() => {
      pending[id] = 1;
      monitor.notifyAll();
    });
  }

  dispatch(id: number): void {
    for (let fruitless = 0; ; fruitless++) {
      assert.ok(fruitless < FRUITLESS, 'spins on the notification of another thread');
      if (this.halt(id)) fruitless = -1;
      if (this.take(id)) return;
    }
  }

  /** Whether it has slept. */
  protected halt(_id: number): boolean {
    const { monitor, pending } = this.memory;
    return monitor.synchronized(() => {
      if (pending[DISK] || pending[CLOCK]) return false;
      monitor.wait();
      return true;
    });
  }

  private take(id: number): boolean {
    const { monitor, pending } = this.memory;
    return monitor.synchronized(() => {
      if (!pending[id]) return false;
      pending[id] = 0;
      return true;
    });
  }
}

class SafePlatform extends Platform {
  protected override halt(id: number): boolean {
    const { monitor, pending } = this.memory;
    return monitor.synchronized(() => {
      if (pending[id]) return false;
      monitor.wait();
      return true;
    });
  }
}

sharedTwins<Platform>({
  name: 'dispatch-halt',
  bad: record(fields, (memory) => new Platform(memory)),
  ok: record(fields, (memory) => new SafePlatform(memory)),
  threads: {
    disk: (platform) => platform.dispatch(DISK),
    hardware: (platform) => {
      platform.raise(DISK);
      platform.raise(CLOCK);
    },
    boot: (platform) => platform.dispatch(CLOCK),
  },
  check: () => {},
  expect: { order: true },
});
