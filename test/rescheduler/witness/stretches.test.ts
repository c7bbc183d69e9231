/** While something waits for the check or the closing phase, rounds of the loop are counted. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs';
import { test } from 'node:test';
import { Delays } from '../../../rescheduler/witness/delays.ts';
import type { Moment } from '../../../rescheduler/witness/moments.ts';
import type { PlannedRequest, PlannedStretch } from '../../../rescheduler/witness/plan.ts';
import { solve } from '../../../rescheduler/witness/solve.ts';
import { stretchesOf, waitsOf } from '../../../rescheduler/witness/stretches.ts';
import { TraceBuilder } from '../../predictor/trace-builder.ts';

const moment = (kind: Moment['kind'], cause: number): Moment => ({
  kind,
  request: -1,
  cause,
  putOff: false,
  delay: 0,
});

const named = (cause: number): Moment => ({ ...moment('deliver', cause), putOff: true });

function roundsOf(...moments: Moment[]) {
  return stretchesOf(moments, waitsOf(moments)).map(({ head, rounds }) => [head, ...rounds]);
}

test('what comes before an immediate that its turn made is of the same round or of the next one', () => {
  const [answer, other] = [moment('deliver', -1), moment('deliver', -1)];
  assert.deepEqual(roundsOf(answer, other, moment('immediate', 0), other), [[0, [0, 1, 2]]]);
  const ofAnother = moment('immediate', 1);
  assert.deepEqual(roundsOf(answer, moment('immediate', 0), other, ofAnother), [[0, [0, 1], [2, 3]]]);
  assert.deepEqual(roundsOf(answer, moment('immediate', 0), ofAnother), [[0, [0, 1], [2]]]);
});

test('the first turn precedes all rounds', () => {
  const early = [moment('timer', -1), moment('effect', -1), moment('deliver', -1)];
  assert.deepEqual(roundsOf(...early, moment('immediate', -1)), [[-1, [0, 1, 2, 3]]]);
  assert.deepEqual(roundsOf(early[2]!, early[0]!, moment('close', -1)), [[-1, [0], [1, 2]]]);
});

test('what comes by itself is no stretch of the plan', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const read = t.issue('pool', 'read');
  t.effect(read);
  t.deliver(read);
  const immediate = t.issue('immediate', 'immediate');
  t.deliver(immediate);
  assert.deepEqual(solve(t.build()).plan.stretches, []);
});

const request = (effect: number, deliver: number): PlannedRequest => ({
  ...{ api: 'fs.stat', what: '.', site: null, cause: -1, issued: 0, end: null },
  effects: [{ index: effect, at: 0 }],
  deliver: { index: deliver, at: 0 },
});

/** What a program tells under a plan. */
function told(
  requests: readonly PlannedRequest[],
  stretch: PlannedStretch,
  program: (tell: (word: string) => void, delays: Delays) => void,
): Promise<string> {
  const words: string[] = [];
  return new Promise((resolve) => {
    const tell = (word: string): void => {
      if (words.push(word) === 3) resolve(words.join(' '));
    };
    const delays = new Delays({ requests, stretches: [stretch], pauses: [] }, () => null);
    delays.run(() => program(tell, delays));
  });
}

test('an answer comes in the round of another one, before the immediate that this one made', async () => {
  const rounds = [{ until: null, answers: [[2], [3]], heads: [] }];
  const stretch = { index: 2, at: 0, stands: false, rounds };
  const words = await told([request(0, 2), request(1, 3)], stretch, (tell) => {
    stat('.', () => {
      tell('a');
      setImmediate(() => tell('immediate'));
    });
    stat('.', () => tell('b'));
  });
  assert.equal(words, 'a b immediate');
});

test('an answer comes between an immediate and the one that it made', async () => {
  const rounds = [
    { until: null, answers: [], heads: [] },
    { until: null, answers: [[1, 2]], heads: [] },
  ];
  const words = await told([request(1, 2)], { index: -1, at: 0, stands: false, rounds }, (tell) => {
    stat('.', () => tell('a'));
    setImmediate(() => {
      tell('first');
      setImmediate(() => tell('second'));
    });
  });
  assert.equal(words, 'first a second');
});

test('the process stands still until a timer is due, and the answer is there when its immediate waits', async () => {
  const rounds = [{ until: 150, answers: [[1, 2]], heads: [] }];
  let hasPaused = false;
  // The pause begins behind a wait in real time: on a machine that has stood still by itself the timer is there first.
  for (let tries = 0; tries < 50 && !hasPaused; tries++) {
    const stretch = { index: 0, at: 10, stands: true, rounds };
    const words = await told([request(1, 2)], stretch, (tell, delays) => {
      stat('.', () => tell('a'));
      setTimeout(() => {
        hasPaused = !delays.usesPool;
        tell('timer');
        setImmediate(() => tell('immediate'));
      }, 60);
    });
    if (hasPaused) assert.equal(words, 'timer a immediate');
  }
  assert.ok(hasPaused);
});

test('what a name server answers comes at the beginning of the check phase: behind answers of its round', () => {
  const before = roundsOf(moment('deliver', -1), moment('immediate', -1), named(-1), moment('immediate', 1));
  assert.deepEqual(before, [[-1, [0, 1], [2, 3]]]);
  const behind = roundsOf(named(-1), moment('deliver', -1), moment('immediate', -1));
  assert.deepEqual(behind, [[-1, [0], [1, 2]]]);
});

test('what the kernel does in a round without an answer is done before the first answer of a later one', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [job, first] = [t.issue('pool', 'job'), t.issue('immediate', 'first')];
  t.effect(job);
  t.deliver(first);
  const second = t.issue('immediate', 'second');
  t.deliver(job);
  t.deliver(second);
  const trace = t.build();
  const requests = trace.requests.map((r) => (r.kind === 'pool' ? { ...r, api: 'fs.stat' } : r));
  const [stretch] = solve({ ...trace, requests }).plan.stretches;
  assert.deepEqual(
    stretch?.rounds.map(({ answers }) => answers),
    [[], [[0, 2]]],
  );
});
