/** While something waits for the check or the closing phase, rounds of the loop are counted. */
import assert from 'node:assert/strict';
import { mkdir, rmSync, stat, watch } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Delays } from '../../../rescheduler/witness/delays.ts';
import type { Moment } from '../../../rescheduler/witness/moments.ts';
import type { PlannedRequest, PlannedStretch } from '../../../rescheduler/witness/plan.ts';
import { solve } from '../../../rescheduler/witness/solve.ts';
import { stretchesOf, waitsOf } from '../../../rescheduler/witness/stretches.ts';
import { TraceBuilder } from '../../predictor/trace-builder.ts';
import { temporary } from '../../temporary.ts';

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
  const rounds = [{ until: null, early: [], answers: [[2], [3]], heads: [] }];
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
    { until: null, early: [], answers: [], heads: [] },
    { until: null, early: [], answers: [[1, 2]], heads: [] },
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
  const rounds = [{ until: 150, early: [], answers: [[1, 2]], heads: [] }];
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

test('what the kernel does right behind a turn is done before the poll phase, which brings news of it', async () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [made, immediate] = [t.issue('pool', 'made'), t.issue('immediate', 'immediate')];
  t.effect(made);
  const news = t.issue('external', 'news');
  t.deliver(made);
  t.deliver(news);
  t.deliver(immediate);
  const directory = temporary('unweave-early');
  const path = join(directory, 'x');
  const known: Record<string, object> = {
    pool: { api: 'fs.mkdir', what: path },
    external: { api: 'fs.watch', what: directory },
  };
  const trace = t.build();
  const { plan } = solve({ ...trace, requests: trace.requests.map((r) => ({ ...r, ...known[r.kind] })) });
  assert.deepEqual(plan.stretches[0]?.rounds, [
    { until: null, early: [0], answers: [[0, 1], [2]], heads: [] },
  ]);
  const words = await new Promise<string[]>((resolve) => {
    const said: string[] = [];
    const tell = (word: string): void => {
      if (said.push(word) === 3) resolve(said);
    };
    new Delays(plan, () => null).run(() => {
      const watcher = watch(directory, () => {
        watcher.close();
        tell('news');
      });
      mkdir(path, () => tell('made'));
      setImmediate(() => tell('immediate'));
    });
  });
  rmSync(directory, { recursive: true });
  assert.deepEqual(words, ['made', 'news', 'immediate']);
});

test('a round stands still for its timers and its first answer, not for what pauses within its turns bring', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [read, long] = [t.issue('external', 'read'), t.issue('timer', 'long', 200)];
  const immediate = t.issue('immediate', 'immediate');
  t.deliver(read);
  const [early, late] = [t.issue('timer', 'early', 150), t.issue('timer', 'late', 150)];
  const check = t.issue('pool', 'check');
  t.deliver(immediate);
  t.deliver(long);
  t.deliver(early);
  t.effect(check);
  t.deliver(check);
  t.deliver(late);
  const trace = t.build();
  const apis: Record<string, string> = { pool: 'fs.stat', external: 'net.read' };
  const { plan } = solve({
    ...trace,
    requests: trace.requests.map((r) => ({ ...r, api: apis[r.kind] ?? r.api })),
  });
  const [pause, round] = [plan.pauses[0]!, plan.stretches[0]!.rounds[0]!];
  assert.ok(pause.until > round.until!, JSON.stringify(plan));
});

test('timers of several turns that are due together are waited for where an immediate is between them', () => {
  const t = new TraceBuilder();
  t.begin(0);
  const [one, first] = [t.issue('timer', 'one', 50), t.issue('immediate', 'first')];
  t.deliver(first);
  const other = t.issue('timer', 'other', 50);
  t.deliver(one);
  const immediate = t.issue('immediate', 'immediate');
  t.deliver(other);
  t.deliver(immediate);
  const { stretches } = solve(t.build()).plan;
  assert.deepEqual(
    stretches.map(({ index, stands }) => ({ index, stands })),
    [{ index: 1, stands: true }],
  );
});
