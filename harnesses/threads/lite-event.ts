/**
 * PLINQ's LiteEvent (CHESS, figure 2): an event that allocates its kernel event only when somebody has to wait. Bad:
 * with a second waiter, the first one may dispose of the kernel event between the other's allocation and its use.
 * Good: a waiter keeps what it has allocated.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const NONE = 0;
const ALLOCATED = 1;

const fields = { monitor: Monitor.part, state: int32(), kevent: int32(), keventSet: int32() };

class LiteEvent {
  protected readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  set(): void {
    const { monitor, state, keventSet } = this.memory;
    Atomics.store(state, 0, 1);
    monitor.synchronized(() => {
      keventSet[0] = 1;
      monitor.notifyAll();
    });
  }

  wait(): void {
    if (Atomics.load(this.memory.state, 0) === 1) return;
    this.allocate();
    this.sleep(this.memory.kevent[0]!);
  }

  dispose(): void {
    const { monitor, kevent } = this.memory;
    monitor.synchronized(() => {
      kevent[0] = NONE;
    });
  }

  protected allocate(): number {
    const { monitor, kevent } = this.memory;
    return monitor.synchronized(() => {
      kevent[0] = ALLOCATED;
      return ALLOCATED;
    });
  }

  protected sleep(handle: number): void {
    const { monitor, keventSet } = this.memory;
    assert.notEqual(handle, NONE, 'waits for a kernel event that was disposed of');
    monitor.synchronized(() => {
      while (keventSet[0] === 0) monitor.wait();
    });
  }
}

class SafeLiteEvent extends LiteEvent {
  override wait(): void {
    if (Atomics.load(this.memory.state, 0) === 1) return;
    this.sleep(this.allocate());
  }
}

const events = (Class: typeof LiteEvent) =>
  record({ event: record(fields, (memory) => new Class(memory)) }, ({ event }) => event);

sharedTwins<LiteEvent>({
  name: 'lite-event',
  bad: events(LiteEvent),
  ok: events(SafeLiteEvent),
  threads: {
    other: (event) => event.wait(),
    owner: (event) => {
      event.wait();
      event.dispose();
    },
    setter: (event) => event.set(),
  },
  check: () => {},
  expect: { pattern: 'WWR', entity: 'event.kevent' },
});
