/** The nearest order that passes, of a test whose natural order fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RunResult, StrategySpec } from '../../../data/run.ts';
import type { Orders } from '../../../rescheduler/investigate/attempt.ts';
import { unplanned } from '../../../rescheduler/investigate/attempt.ts';
import { forced } from '../../../rescheduler/investigate/counterfactual.ts';
import { passingOrder } from '../../../rescheduler/investigate/passing.ts';

const NATURAL = ['D:a', 'D:b', 'D:c', 'D:d'];
/** Far from it: two pairs are turned round. */
const FAR = ['D:b', 'D:a', 'D:d', 'D:c'];

const result = (steps: readonly string[], more: Partial<RunResult> = {}): RunResult => ({
  ...{ outcome: 'fail', followed: 'followed', patternSeen: false, failure: null, steps, breadth: 1 },
  ...{ requiredStallMs: 0, requiredPauseMs: 0, late: [], traceHash: '', divergence: null, waits: [] },
  ...{ ungated: {}, durationMs: 1, ...more },
});

/** What is forced first, the rest as usual; passes where d comes before c. */
function program(more: Partial<RunResult> = {}) {
  const ran: string[] = [];
  const run = async (spec: StrategySpec): Promise<RunResult> => {
    const first = spec.kind === 'directed' ? spec.schedule.steps : [];
    const steps = [...first, ...NATURAL.filter((step) => !first.includes(step))];
    ran.push(steps.join(' '));
    const passes = steps.indexOf('D:d') < steps.indexOf('D:c');
    return result(steps, passes ? { outcome: 'pass', ...more } : {});
  };
  return { ran, run };
}

/** Proposes these, and says which it has proposed. */
function proposing(...all: (readonly string[])[]): Orders & { proposed: number } {
  const orders = {
    predicted: [],
    proposed: 0,
    *attempts() {
      for (const steps of all) {
        orders.proposed += 1;
        yield {
          origin: 'random' as const,
          schedule: unplanned('x', steps),
          spec: forced(steps),
          cutPoint: null,
        };
      }
    },
    smallest: () => Promise.reject(new Error('nobody asks for it')),
  };
  return orders;
}

const ENOUGH = { runs: 50, forMs: 60_000, isOver: () => false };

test('what passes is brought as near to the natural order as it gets', async () => {
  const { run } = program();
  const [first, second] = [proposing(NATURAL), proposing(NATURAL, FAR, FAR)];
  const found = await passingOrder([first, second], NATURAL, run, ENOUGH);
  assert.deepEqual(found?.steps, ['D:a', 'D:b', 'D:d', 'D:c']);
  assert.equal(found?.outcome, 'pass');
  assert.deepEqual([first.proposed, second.proposed], [1, 2], 'the first that passes ends the search');
});

test('nothing is told where none passes, or the runs are over', async () => {
  const { ran, run } = program();
  assert.equal(await passingOrder([proposing(NATURAL, NATURAL)], NATURAL, run, ENOUGH), null);
  assert.equal(ran.length, 2);
  const late = proposing(NATURAL, NATURAL, FAR);
  assert.equal(await passingOrder([late], NATURAL, run, { ...ENOUGH, runs: 2 }), null);
  assert.equal(await passingOrder([proposing(FAR)], NATURAL, run, { ...ENOUGH, isOver: () => true }), null);
});

test('a run with something that nobody controls is no reference', async () => {
  for (const more of [{ ungated: { TLS: 1 } }, { doubts: ['a signal'] }]) {
    const { run } = program(more);
    assert.equal(await passingOrder([proposing(FAR)], NATURAL, run, ENOUGH), null);
  }
});
