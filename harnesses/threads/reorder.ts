/**
 * Setters write `a`, then `b`; a checker must find both or none (the shape `reorder_n`, here with three setters).
 * Bad: nothing keeps the two together. Good: a lock does.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = { lock: Mutex.part, a: int32(), b: int32() };

class Pair {
  protected readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  set(): void {
    this.memory.a[0] = 1;
    this.memory.b[0] = -1;
  }

  verify(): void {
    const set = this.memory.a[0] === 1;
    assert.equal(this.memory.b[0], set ? -1 : 0);
  }
}

class SafePair extends Pair {
  override set(): void {
    this.memory.lock.runExclusive(() => super.set());
  }

  override verify(): void {
    this.memory.lock.runExclusive(() => super.verify());
  }
}

const set = (pair: Pair) => pair.set();

sharedTwins<Pair>({
  name: 'reorder',
  bad: record(fields, (memory) => new Pair(memory)),
  ok: record(fields, (memory) => new SafePair(memory)),
  threads: { set1: set, set2: set, set3: set, checker: (pair) => pair.verify() },
  check: (pair) => pair.verify(),
  expect: { order: true },
});
