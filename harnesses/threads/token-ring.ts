/**
 * A value handed round (the shape `token_ring`). Bad: nobody waits for the token, it is only that the threads
 * usually run in the order in which they were started. Good: each waits for the one before.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, CountDownLatch, int32, list, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = { token: int32(4), passed: list(CountDownLatch.part(1), 4) };

class Members {
  protected readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  start(value: number): void {
    this.memory.token[0] = value;
  }

  pass(to: number): void {
    const { token } = this.memory;
    const value = token[to - 1]!;
    token[to] = value;
  }

  get last(): number {
    return this.memory.token[3]!;
  }
}

class PatientMembers extends Members {
  override start(value: number): void {
    super.start(value);
    this.memory.passed[0]!.countDown();
  }

  override pass(to: number): void {
    this.memory.passed[to - 1]!.wait();
    super.pass(to);
    this.memory.passed[to]!.countDown();
  }
}

sharedTwins<Members>({
  name: 'token-ring',
  bad: record(fields, (memory) => new Members(memory)),
  ok: record(fields, (memory) => new PatientMembers(memory)),
  threads: {
    first: (ring) => ring.start(7),
    second: (ring) => ring.pass(1),
    third: (ring) => ring.pass(2),
    fourth: (ring) => ring.pass(3),
  },
  check: ({ last }) => assert.equal(last, 7),
  expect: { order: true },
});
