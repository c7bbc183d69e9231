import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PlanClock } from '../../../rescheduler/witness/clock.ts';
import { LateQueue } from '../../../rescheduler/witness/late-queue.ts';
import type { PlannedAlarm } from '../../../rescheduler/witness/plan.ts';
import { PollPhaseCalls } from '../../../rescheduler/witness/poll.ts';

/** Longer than the test may take. */
const FAR = 60_000;

test('what comes while a later stretch is waited for does not wait for that', {
  timeout: FAR / 3,
}, async () => {
  let now = 0;
  const clock = { until: (at: number) => at - now, met() {} } as unknown as PlanClock;
  const pacer = { isAhead: () => false, giveUp() {} };
  const stretch = {
    index: 5,
    at: FAR,
    stands: true,
    rounds: [{ until: null, early: [], answers: [], heads: [] }],
  };
  const queue = new LateQueue(clock, pacer, new PollPhaseCalls(), [stretch]);
  queue.begin();
  // By now it waits for the stretch.
  for (let round = 0; round < 3; round++) await new Promise((resolve) => setImmediate(resolve));
  await new Promise<void>((resolve) =>
    queue.wait({ index: 0, at: 0 }, false, (over) => {
      now = FAR;
      over();
      resolve();
    }),
  );
  assert.ok(queue.isDue({ index: 1, at: 0 }), 'nothing stands before what is next');
});

test('a pause before a timer begins in time, though the clock of the plan is behind', {
  timeout: FAR / 3,
}, async () => {
  let stood = false;
  const clock = { until: (at: number) => at, met() {} } as unknown as PlanClock;
  const pacer = { isAhead: () => false, giveUp() {} };
  const around = {
    check: null,
    alarms: {
      until({ behind }: PlannedAlarm) {
        stood ||= behind === 20;
        return 0;
      },
    },
    outside: <T>(fn: () => T) => fn(),
  };
  const alarms = { begin: { delay: 50, nth: 0, behind: 10 }, end: { delay: 50, nth: 0, behind: 20 } };
  const stretch = {
    index: 0,
    at: FAR,
    stands: true,
    alarms,
    rounds: [{ until: FAR, early: [], answers: [], heads: [] }],
  };
  new LateQueue(clock, pacer, new PollPhaseCalls(), [stretch], around).begin();
  while (!stood) await new Promise((resolve) => setImmediate(resolve));
});

const round = (...answers: number[][]) => ({ until: null, early: [], answers, heads: [] });
const stretches = {
  'in one poll phase': { stands: false, rounds: [round([0], [1])] },
  'in two rounds': { stands: false, rounds: [round([0]), round([1])] },
  'behind a pause': { stands: true, rounds: [round([0], [1])] },
};

for (const [where, stretch] of Object.entries(stretches))
  test(`the kernel has done all that comes ${where} before the first of it is told`, async () => {
    const clock = { until: () => 0, met() {} } as unknown as PlanClock;
    const pacer = { isAhead: () => false, giveUp() {} };
    const queue = new LateQueue(clock, pacer, new PollPhaseCalls(), [{ index: 0, at: 0, ...stretch }]);
    const words: string[] = [];
    await new Promise<void>((resolve) => {
      for (const index of [1, 0])
        queue.wait(
          { index, at: 0 },
          true,
          (over) => {
            words.push(`tells ${index}`);
            over();
            if (index === 1) resolve();
          },
          (done) => {
            words.push('reads');
            setImmediate(done);
          },
        );
    });
    assert.deepEqual(words, ['reads', 'reads', 'tells 0', 'tells 1']);
  });

test('what comes in one poll phase behind an answer that the kernel was late with comes in turns of its own', async () => {
  const clock = { until: () => 0, met() {} } as unknown as PlanClock;
  const pacer = { isAhead: () => false, giveUp() {} };
  const stretch = { index: -1, at: 0, stands: false, rounds: [round([0], [1], [2])] };
  const queue = new LateQueue(clock, pacer, new PollPhaseCalls(), [stretch]);
  const words: string[] = [];
  await new Promise<void>((resolve) => {
    queue.wait({ index: 0, at: 0 }, true, (over) => setImmediate(over));
    for (const index of [1, 2])
      queue.wait({ index, at: 0 }, true, (over) => {
        words.push(`turn ${index}`);
        process.nextTick(() => {
          words.push(`tick ${index}`);
          if (index === 2) resolve();
        });
        over();
      });
    queue.begin();
  });
  assert.deepEqual(words, ['turn 1', 'tick 1', 'turn 2', 'tick 2']);
});
