/** What a confirmed failure is comes before all that bears it out, and is left open where there was no time for it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Schedule } from '../../../data/prediction.ts';
import { NOTHING_ASSUMED } from '../../../data/run.ts';
import type { Trace } from '../../../data/trace.ts';
import {
  explain,
  explainAgain,
  type LoopExplanation,
  type Means,
} from '../../../rescheduler/explain/explain.ts';
import type { Timing } from '../../../rescheduler/explain/timing.ts';
import { plainFailure } from '../../../rescheduler/failure.ts';
import type { Finding } from '../../../rescheduler/investigate/investigate.ts';
import { withoutAnswer } from '../../../rescheduler/subjects/no-answer.ts';
import { TraceBuilder } from '../../predictor/trace-builder.ts';

const trace = (() => {
  const t = new TraceBuilder();
  t.begin(0);
  t.deliver(t.issue('timer', 'timer', 50));
  return t.build();
})();
const schedule: Schedule = { id: 's', cutPoint: null, steps: [], moves: 0, switches: 0, stallMs: 0 };
const result = withoutAnswer('fail', plainFailure('assertion', 'Lost', 'x'), 1);
const finding: Finding = {
  ...{ origin: 'directed', schedule, steps: [], cutPoint: null, result, assumed: NOTHING_ASSUMED },
  confirmation: { confirmed: true, result, reproduced: 3, control: 3, times: 3 } as never,
  ...{ schedulesUntilFound: 1, orders: [[]], variants: [] },
};
const known = { file: 'a.test.ts', natural: trace, predicted: [], schedules: [] };
const SLEEP: Timing = {
  told: { rule: 'sleep', timer: 'setTimeout 50 ms', at: null, overtaken: null },
  latency: null,
  near: null,
};

/** No time is left but the reserve. */
const without = (reserve: Partial<Means>): Means => ({
  run: () => assert.fail('run'),
  runFresh: () => assert.fail('run'),
  runStrictly: null,
  record: () => assert.fail('recorded'),
  recordFailing: async () => trace,
  classify: async <T>() => SLEEP as T,
  isCut: () => false,
  witness: async () => null,
  inTime: async (_, otherwise) => otherwise,
  isOver: () => true,
  ...reserve,
});

test('a failure that is confirmed as the budget ends is classified in the reserve', async () => {
  const { timing, isUndecided } = await explain(known, finding, schedule, without({}));
  assert.equal(timing?.told?.rule, 'sleep');
  assert.equal(isUndecided, false);
});

test('it is classified before anything else is looked at', async () => {
  const asked: string[] = [];
  const means = without({
    classify: async <T>() => {
      asked.push('class');
      return SLEEP as T;
    },
    inTime: async (_, otherwise) => {
      asked.push('explanation');
      return otherwise;
    },
  });
  await explain(known, finding, schedule, means);
  assert.equal(asked[0], 'class');
});

test('what there is no time to classify is undecided, and no race', async () => {
  const cut = { isCut: () => true };
  const noRecording = without({ ...cut, recordFailing: async (): Promise<Trace | null> => null });
  assert.equal((await explain(known, finding, schedule, noRecording)).isUndecided, true);
  const noClass = without({ ...cut, classify: async () => null });
  assert.equal((await explain(known, finding, schedule, noClass)).isUndecided, true);
});

test('a class that there is no time to look at again stays', async () => {
  const kept = await explain(known, finding, schedule, without({}));
  const judged = { ...known, lastRun: () => undefined };
  const again: LoopExplanation = await explainAgain(judged, finding, kept, without({}));
  assert.equal(again.timing?.told?.rule, 'sleep');
});
