/** What timing is told by, as the runs show it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { leftBy } from '../../../rescheduler/explain/early-sleeps.ts';
import { timingOf } from '../../../rescheduler/explain/timing.ts';
import { plainFailure } from '../../../rescheduler/failure.ts';
import { withoutAnswer } from '../../../rescheduler/subjects/no-answer.ts';
import { TraceBuilder } from '../../predictor/trace-builder.ts';

/** The body sleeps; beside it something is saved, and a second time where `again`, which the run does not wait for. */
function saved(again: boolean) {
  const b = new TraceBuilder();
  const save = b.activation('save', 'async');
  b.begin(0);
  const sleep = b.issue('timer', 'sleep', 150);
  b.begin(save);
  const first = b.issue('pool', 'first');
  b.effect(first);
  b.begin(save, b.deliver(first));
  if (again) b.issue('pool', 'second');
  b.begin(0, b.deliver(sleep));
  b.read('Notes#saved', 'assertion');
  b.issue('pool', 'look');
  const trace = b.build();
  // What is written nowhere is no sleep of the test's.
  return { ...trace, requests: trace.requests.map((request) => ({ ...request, site: 0 })) };
}

test('a sleep leaves under way what was asked for before, and that the natural order does not have', () => {
  assert.deepEqual(leftBy(saved(true), saved(false), 'sleep'), ['second']);
  assert.deepEqual(leftBy(saved(false), saved(false), 'sleep'), []);
  assert.deepEqual(leftBy(saved(true), saved(false), 'never'), []);
});

test('a test that passes where its sleep waits for that depends on timing', async () => {
  const failing = saved(true);
  const result = {
    ...withoutAnswer('fail', plainFailure('assertion', 'AssertionError', 'x'), 1),
    steps: failing.steps,
  };
  const waits = failing.steps.slice(0, failing.steps.indexOf('D:sleep'));
  const run = async (spec: {
    readonly kind: string;
    readonly schedule?: { readonly steps: readonly string[] };
  }) => {
    const { steps = [] } = spec.schedule ?? {};
    const passes = steps.join() === waits.join();
    return { ...result, outcome: passes ? 'pass' : 'fail', followed: 'followed', steps } as never;
  };
  const { told } = await timingOf(result, saved(false), failing, null, run as never, 'a.test.ts');
  assert.equal(told?.rule, 'sleep');
});
