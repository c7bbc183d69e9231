/**
 * A thread leaves a value behind a lock and takes it for granted when it comes back (the shape `stateful01`).
 * Good: it stays inside.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = { monitor: Monitor.part, data1: int32(), data2: int32() };

class State {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  advance(by: number): void {
    const { monitor, data1, data2 } = this.memory;
    const mine = monitor.synchronized(() => (data1[0]! += by));
    monitor.synchronized(() => {
      assert.equal(data1[0], mine);
      data2[0] = data1[0]!;
    });
  }
}

class SafeState extends State {
  override advance(by: number): void {
    this.memory.monitor.synchronized(() => super.advance(by));
  }
}

sharedTwins<State>({
  name: 'stateful01',
  bad: record(fields, (memory) => new State(memory)),
  ok: record(fields, (memory) => new SafeState(memory)),
  threads: { one: (state) => state.advance(1), five: (state) => state.advance(5) },
  check: ({ memory }) => assert.equal(memory.data2[0], 6),
  expect: { pattern: 'WWR', entity: 'data1' },
});
