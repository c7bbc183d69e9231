/**
 * The transaction-manager model of iterative context bounding: a client commits while a timer aborts what takes too
 * long. Bad: the commit looks at the state in one critical section and changes it in another, and what was aborted is
 * committed. In a run that passes only one of the two writes the state, so no single run shows the pattern. Good: one
 * section.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Monitor, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const ACTIVE = 0;
const COMMITTED = 1;
const ABORTED = 2;

const fields = { monitor: Monitor.part, state: int32(), committed: int32(), aborted: int32() };

class Transaction {
  readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  commit(): void {
    const { monitor, state } = this.memory;
    const active = monitor.synchronized(() => state[0] === ACTIVE);
    if (active) monitor.synchronized(() => this.finish(COMMITTED));
  }

  abort(): void {
    const { monitor, state } = this.memory;
    monitor.synchronized(() => {
      if (state[0] === ACTIVE) this.finish(ABORTED);
    });
  }

  protected finish(as: number): void {
    const { state, committed, aborted } = this.memory;
    state[0] = as;
    if (as === COMMITTED) committed[0]!++;
    else aborted[0]!++;
  }
}

class SafeTransaction extends Transaction {
  override commit(): void {
    this.memory.monitor.synchronized(() => super.commit());
  }
}

sharedTwins<Transaction>({
  name: 'transaction-manager',
  bad: record(fields, (memory) => new Transaction(memory)),
  ok: record(fields, (memory) => new SafeTransaction(memory)),
  threads: { client: (transaction) => transaction.commit(), timer: (transaction) => transaction.abort() },
  check: ({ memory: { committed, aborted } }) => assert.equal(committed[0]! + aborted[0]!, 1),
  expect: { order: true },
});
