/** When a run counts as going round: only the same timers go off. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Rounds } from '../../../rescheduler/gate/rounds.ts';

type Step = Parameters<Rounds['look']>[0];
const timer = (delay: number, api = 'setInterval'): Step => ({ kind: 'timer', api, what: `${delay} ms` });
const answer: Step = { kind: 'pool', api: 'fs.stat', what: '/' };

/** How often timers went off until it counts as going round; 0: it never did. */
function rounds(every: number, between: (nth: number) => Step | null = () => null): number {
  const run = new Rounds();
  for (let nth = 1; nth <= 100_000; nth++) {
    const other = between(nth);
    const steps = [...(other ? [other] : []), timer(every)];
    if (steps.some((step) => run.look(step, nth * every))) return nth;
  }
  return 0;
}

test('a run goes round when the same timers went off so often, for so long a time', () => {
  assert.equal(rounds(400), 51 + 600_000 / 400);
  assert.equal(rounds(10_000), 51 + 300);
  assert.equal(rounds(10), 51 + 20_000);
  assert.equal(rounds(1), 51 + 60_000);
});

test('what is pending may be another timer, and who looks at the clock may go on up to a time', () => {
  const run = new Rounds();
  for (let nth = 1; nth <= 51; nth++) run.look(timer(400), nth * 400);
  assert.ok(run.knows(timer(400)) && !run.knows(timer(900_000)) && !run.knows(answer));
  run.look(answer, 500);
  assert.ok(!run.knows(timer(400)));
  const asking = new Rounds();
  for (let nth = 1; nth <= 10_000; nth++) {
    asking.clockRead();
    assert.ok(!asking.look(timer(400), nth * 400));
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
