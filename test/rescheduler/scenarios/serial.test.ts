/** A serial order is one: each call begins when the one before has ended, whatever that does first, and by every clock. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import type { Scenario } from '../../../harnesses/scenario.ts';
import { drawn } from '../../../rescheduler/scenarios/draw.ts';
import { Overlap } from '../../../rescheduler/scenarios/overlap.ts';
import { planned } from '../../../rescheduler/scenarios/plan.ts';
import { executeGated } from '../../../rescheduler/subjects/execution.ts';
import { limits } from '../gate/support.ts';
import { alarms } from './alarms.ts';

class Counter {
  value = 0;

  /** Asks the host for nothing in the turn in which it is called. */
  async add(): Promise<void> {
    await null;
    await stat('.');
    const { value } = this;
    await stat('.');
    this.value = value + 1;
  }
}

const counter: Scenario<Counter> = {
  name: 'counter',
  setup: () => new Counter(),
  operations: { add: { run: (it) => it.add() } },
  observe: ({ value }) => value,
};
/** What is there when it is looked at is written as one: a call that comes behind a rest is in another batch. */
class Batches {
  readonly written: number[] = [];
  private waiting = 0;

  async log(): Promise<void> {
    await stat('.');
    if (this.waiting++ === 0) void this.flush();
  }

  private async flush(): Promise<void> {
    for (let step = 0; step < 5; step++) await stat('.');
    this.written.push(this.waiting);
    this.waiting = 0;
  }
}

test('two calls of three may come behind each other, and the third when nothing is under way', async () => {
  const batches: Scenario<Batches> = {
    ...{ name: 'batches', setup: () => new Batches(), scenarios: 1 },
    operations: { log: { run: (it) => it.log() } },
    observe: ({ written }) => written,
  };
  assert.deepEqual(await alarms(batches), []);
});

class Mailbox {
  readonly log: string[] = [];
  letter: string | null = null;
  private arrived = (): void => {};

  async take(): Promise<void> {
    if (this.letter === null) await new Promise<void>((resolve) => (this.arrived = resolve));
    this.log.push('taken');
  }

  put(): void {
    this.letter = 'a';
    this.log.push('put');
    this.arrived();
  }
}

test('a call that is left waiting keeps its own task waiting, and no other', async () => {
  const mailbox: Scenario<Mailbox> = {
    ...{ name: 'mailbox', setup: () => new Mailbox() },
    operations: {
      take: { run: (box) => box.take() },
      leave: { run: (box) => void box.log.push('left') },
      put: { run: (box) => box.put() },
    },
    observe: ({ log }) => log,
  };
  const all = planned(mailbox, drawn(mailbox, import.meta.filename));
  const found = all.find(({ name }) => name === 'mailbox: (take(); leave()) ∥ put()')!;
  const overlap = new Overlap(found, new Mailbox(), null);
  const how = { spec: { kind: 'observed' }, limits, wantChoices: false, record: false } as const;
  await executeGated(() => overlap.inOrder([0, 1, 2], [], null), how);
  assert.deepEqual((await overlap.outcome()).then, ['put', 'taken', 'left']);
  assert.deepEqual(await alarms(mailbox), []);
});

const fresh = (): Overlap =>
  new Overlap(planned(counter, drawn(counter, import.meta.filename))[0]!, new Counter(), null);

test('by the real clock', async () => {
  const overlap = fresh();
  await overlap.inOrder([0, 1], [], null);
  assert.equal((await overlap.outcome()).then, 2);
});

test('by the clock of runs nothing goes on when all calls have ended', async () => {
  const overlap = fresh();
  const how = { spec: { kind: 'observed' }, limits, wantChoices: false, record: false } as const;
  const { gate } = await executeGated(() => overlap.inOrder([0, 1], [], null), how);
  assert.equal((await overlap.outcome()).then, 2);
  assert.ok(gate.clockMs < 100, `${gate.clockMs} ms`);
  assert.equal(overlap.isBlocked, false);
});
