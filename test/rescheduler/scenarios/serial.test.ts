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
const fresh = (): Overlap =>
  new Overlap(planned(counter, drawn(counter, import.meta.filename))[0]!, new Counter(), null);

test('by the real clock', async () => {
  const overlap = fresh();
  await overlap.inOrder([0, 1], false, null);
  assert.equal((await overlap.outcome()).then, 2);
});

test('by the clock of runs nothing goes on when all calls have ended', async () => {
  const overlap = fresh();
  const how = { spec: { kind: 'observed' }, limits, wantChoices: false, record: false } as const;
  const { gate } = await executeGated(() => overlap.inOrder([0, 1], false, null), how);
  assert.equal((await overlap.outcome()).then, 2);
  assert.ok(gate.clockMs < 100, `${gate.clockMs} ms`);
  assert.equal(overlap.isBlocked, false);
});
