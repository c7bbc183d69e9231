/** When a run counts as going round: only the same timers go off. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds } from '../../../rescheduler/gate/rounds.ts';

type Step = Parameters<Rounds['look']>[0];
const timer = (delay: number, api = 'setInterval', ref = true): Step => ({
  ...{ kind: 'timer', api, ref },
  what: `${delay} ms`,
});
const answer: Step = { kind: 'pool', api: 'fs.stat', what: '/', ref: true };
const none = (): Step[] => [];

/** How often timers went off until it counts as going round; 0: it never did. */
function rounds(every: number, between: (nth: number) => Step | null = () => null): number {
  const run = new Rounds();
  for (let nth = 1; nth <= 100_000; nth++) {
    const other = between(nth);
    const steps = [...(other ? [other] : []), timer(every)];
    if (steps.some((step) => run.look(step, nth * every, none).forLong)) return nth;
  }
  return 0;
}

test('a run goes round when the same timers went off so often, for so long a time', () => {
  assert.equal(rounds(400), 51 + 600_000 / 400);
  assert.equal(rounds(10_000), 51 + 300);
  assert.equal(rounds(10), 51 + 20_000);
  assert.equal(rounds(1), 51 + 60_000);
});

test('it does not where another timer is pending, or an answer, or where the program looks at the clock', () => {
  const isRound = (pending: Step, looks = false): boolean => {
    const run = new Rounds();
    return Array.from({ length: 10_000 }).some((_, nth) => {
      if (looks) run.clockRead();
      return run.look(timer(400), nth * 400, () => [pending]).forLong;
    });
  };
  assert.ok(isRound(timer(400)));
  for (const other of [timer(900_000), answer]) assert.ok(!isRound(other));
  assert.ok(!isRound(timer(400), true));
});

test("for unref'd intervals nobody waits, as long as nothing else is left and happens", () => {
  const waitedFor = (each: Step, pending: Step, between: Step | null = null): number => {
    const run = new Rounds();
    for (let nth = 1; nth < 1000; nth++) {
      if (between && nth % 50 === 0) run.look(between, nth, none);
      if (run.look(each, nth, () => [pending]).unwaited) return nth;
    }
    return 0;
  };
  const tick = timer(1, 'setInterval', false);
  assert.equal(waitedFor(tick, timer(900, 'setInterval', false)), 100);
  for (const other of [timer(1), timer(1, 'setTimeout', false), answer]) {
    assert.equal(waitedFor(tick, other), 0);
    assert.equal(waitedFor(other, tick), 0);
    assert.equal(waitedFor(tick, tick, other), 0);
  }
});

test('whatever else happens begins it anew, and so does a timer that was not met before', () => {
  assert.equal(
    rounds(400, () => answer),
    0,
  );
  assert.equal(
    rounds(400, (nth) => (nth % 100 === 0 ? answer : null)),
    0,
  );
  assert.equal(
    rounds(400, (nth) => (nth === 1000 ? timer(7) : null)),
    1000 + 600_000 / 400,
  );
  assert.equal(
    rounds(400, (nth) => (nth === 1000 ? timer(400, 'setTimeout') : null)),
    1000 + 600_000 / 400,
  );
  // Two that take turns are the same two.
  assert.ok(rounds(400, () => timer(400, 'setTimeout')) > 0);
  // One that comes ever later.
  assert.equal(
    rounds(400, (nth) => timer(nth, 'setTimeout')),
    0,
  );
});
