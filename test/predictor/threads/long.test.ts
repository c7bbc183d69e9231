import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStd } from '../../../data/threads/std-reader.ts';
import type { ThreadTrace } from '../../../data/threads/trace.ts';
import { inMemory } from '../../../predictor/threads/long/long-trace.ts';
import { LIMITS, type Limits, predictLong } from '../../../predictor/threads/long/predict.ts';
import { wholeOrder } from '../../../predictor/threads/predict.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { CLASSES, choices, walk } from './generate.ts';
import { nearTruth, type Truth, truth, wrongWith } from './oracle.ts';

function predicted(trace: ThreadTrace, limits: Partial<Limits> = {}) {
  const tally = newTally();
  const all = [...predictLong(inMemory(trace), tally, { ...LIMITS, ...limits })];
  return {
    ...tally,
    left: tally.undecided + tally.unscheduled,
    cutPoints: all.filter((cutPoint) => cutPoint !== null),
  };
}

/** A schedule from the beginning of the trace. */
const whole = (observed: number, schedule: Int32Array): number[] => [
  ...Array.from({ length: observed }, (_, event) => event),
  ...schedule,
];

const kindOf =
  ({ events: { object, point } }: ThreadTrace) =>
  ({ pattern, first, remote, second }: Truth): string =>
    [pattern, object[first], point[first], point[remote], point[second]].join();

const traces = (length: number) =>
  fc
    .tuple(
      fc.constantFrom(...Object.values(CLASSES)),
      fc.array(fc.nat(0xffff), { minLength: 8 * length, maxLength: 8 * length }),
    )
    .map(([kind, list]) =>
      walk({ ...kind, entities: 1 + (list[0]! % 3) }, length, choices(list)).replace(
        /\|(\d+)$/gm,
        (_, at) => `|${Number(at) % 4}`,
      ),
    );

// Blocks so short that nothing else is in them: most of the trace runs as observed.
for (const overlap of [LIMITS.overlap, 8])
  test(`what is predicted in windows of a trace is true, and all else is said to be undecided (blocks of ${2 * overlap})`, () => {
    let [cutPoints, undecided] = [0, 0];
    fc.assert(
      fc.property(traces(22), (text) => {
        const trace = readStd([text]);
        const key = kindOf(trace);
        const reachable = truth(trace);
        const byEvents = new Map(
          reachable.map((t) => [`${t.pattern} ${t.first} ${t.remote} ${t.second}`, t.completes]),
        );
        const prediction = predicted(trace, { overlap });
        for (const cutPoint of prediction.cutPoints) {
          const { pattern, first, remote, second, completes, observed, schedule, reduced } = cutPoint;
          const known = byEvents.get(`${pattern} ${first} ${remote} ${second}`);
          assert.ok(known === true || known === completes, `${pattern} ${first} ${remote} ${second}`);
          assert.equal(wrongWith(trace, whole(observed, schedule), cutPoint), null);
          assert.equal(wrongWith(trace, whole(observed, reduced.schedule), cutPoint), null);
          const merged = wholeOrder(trace, { observed, reduced: reduced.schedule });
          assert.equal(wrongWith(trace, merged, cutPoint), null);
        }
        const found = new Set(prediction.cutPoints.map(key));
        const wanted = new Set(nearTruth(trace).map(key));
        assert.equal(prediction.triples, found.size + prediction.left);
        assert.ok(wanted.difference(found).size <= prediction.left, 'a kind is lost');
        assert.ok(found.size + prediction.unscheduled <= wanted.size, 'a kind is not reachable');
        cutPoints += found.size;
        undecided += prediction.undecided;
      }),
      { numRuns: 600, seed: 14 },
    );
    assert.ok(
      cutPoints > 1000 && undecided < cutPoints / 10,
      `${cutPoints} kinds found, ${undecided} undecided`,
    );
  });

test('without a budget for schedules, what is said to be reachable is, and nothing else is lost', () => {
  let [decided, undecided] = [0, 0];
  fc.assert(
    fc.property(traces(22), (text) => {
      const trace = readStd([text]);
      const wanted = new Set(nearTruth(trace).map(kindOf(trace)));
      const prediction = predicted(trace, { work: 0, far: { events: 0, distance: 0 } });
      assert.deepEqual(prediction.cutPoints, []);
      assert.ok(prediction.unscheduled <= wanted.size && wanted.size <= prediction.left);
      decided += prediction.unscheduled;
      undecided += prediction.undecided;
    }),
    { numRuns: 600, seed: 17 },
  );
  assert.ok(decided > 3 * undecided && undecided > 0, `${decided} kinds decided, ${undecided} not`);
});

test('what is far apart is brought together where a thread that waits makes the schedule short', () => {
  const between = Array.from({ length: 500 }, (_, i) => `A|r(y)|${i % 3}`);
  const text = [
    'A|begin|9',
    'A|w(x)|10',
    ...between,
    'A|end|9',
    'B|begin|11',
    'B|r(x)|12',
    'B|r(x)|13',
    'B|end|11',
  ];
  const trace = readStd([text.join('\n')]);
  const found = (events: number, distance: number) =>
    predicted(trace, { work: 0, far: { events, distance } }).cutPoints.map(
      ({ pattern, first, remote, second, observed, schedule }) =>
        `${pattern} ${first}-${remote}-${second} ${observed}: ${schedule.join(' ')}`,
    );
  assert.deepEqual(found(10, 1000), ['RWR 504-1-505 1: 503 504 1 505']);
  assert.deepEqual(found(10, 100), [], 'too far');
  assert.deepEqual(found(2, 1000), [], 'too long');
});
