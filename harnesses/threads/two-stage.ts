/**
 * Two locks, two stages (the shape `twostage`). Bad: a reader meets the first stage of an update without the
 * second. Two entities, each accessed properly: no single pattern. Good: both stages under both locks.
 */
import assert from 'node:assert/strict';
import { type AttachedFields, int32, Mutex, record } from '../../monitor/threads/api.ts';
import { sharedTwins } from '../lib/shared.ts';

const fields = { firstLock: Mutex.part, secondLock: Mutex.part, first: int32(), second: int32() };

class Stages {
  protected readonly memory: AttachedFields<typeof fields>;

  constructor(memory: AttachedFields<typeof fields>) {
    this.memory = memory;
  }

  update(): void {
    const { firstLock, secondLock, first, second } = this.memory;
    const value = firstLock.runExclusive(() => ++first[0]!);
    secondLock.runExclusive(() => {
      second[0] = value + 1;
    });
  }

  verify(): void {
    const { firstLock, secondLock, first, second } = this.memory;
    const value = firstLock.runExclusive(() => first[0]!);
    if (value === 0) return;
    secondLock.runExclusive(() => assert.equal(second[0], value + 1));
  }
}

class SafeStages extends Stages {
  override update(): void {
    const { firstLock, secondLock, first, second } = this.memory;
    firstLock.runExclusive(() => {
      const value = ++first[0]!;
      secondLock.runExclusive(() => {
        second[0] = value + 1;
      });
    });
  }
}

sharedTwins<Stages>({
  name: 'two-stage',
  bad: record(fields, (memory) => new Stages(memory)),
  ok: record(fields, (memory) => new SafeStages(memory)),
  threads: { writer: (stages) => stages.update(), reader: (stages) => stages.verify() },
  check: (stages) => stages.verify(),
  expect: { order: true },
});
