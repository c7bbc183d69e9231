/**
 * The two-phase protocol of CCR ports (CHESS, section 2): one worker cancels the tasks of a port one by one while
 * another one takes all that there are. Bad: nothing says that a cancellation is in progress, and tasks are both
 * cancelled and taken. Good: a field does.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const TASKS = 2;
const fields = {
  monitor: Monitor.part,
  pending: int32(),
  cancelling: int32(),
  registered: int32(),
  taken: int32(),
  cancelled: int32(),
};

class Port {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  cancel(): void {
    const { monitor, pending, cancelled } = this.memory;
    for (let more = true; more; )
      monitor.synchronized(() => {
        more = pending[0]! > 0;
        if (!more) return;
        pending[0]!--;
        cancelled[0]!++;
      });
  }

  receive(): void {
    const { monitor, pending, cancelling, registered, taken } = this.memory;
    monitor.synchronized(() => {
      registered[0] = 1;
    });
    monitor.synchronized(() => {
      if (cancelling[0]) return;
      taken[0] = pending[0]!;
      pending[0] = 0;
    });
  }
}

class SafePort extends Port {
  override cancel(): void {
    const { monitor, cancelling } = this.memory;
    monitor.synchronized(() => {
      cancelling[0] = 1;
    });
    super.cancel();
  }
}

const ports = (Class: typeof Port) =>
  record({ port: record(fields, (memory) => new Class(memory)) }, ({ port }) => port);

sharedTwins<Port>({
  name: 'ccr-cancel',
  bad: ports(Port),
  ok: ports(SafePort),
  initial: ({ memory }) => {
    memory.pending[0] = TASKS;
  },
  threads: { canceller: (port) => port.cancel(), receiver: (port) => port.receive() },
  check: ({ memory: { taken, cancelled } }) =>
    assert.ok(
      (taken[0] === 0 && cancelled[0] === TASKS) || (taken[0] === TASKS && cancelled[0] === 0),
      `${taken[0]} taken, ${cancelled[0]} cancelled`,
    ),
  expect: { pattern: 'WRW', entity: 'port.pending' },
});
