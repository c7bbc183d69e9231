import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStd } from '../../../data/threads/std-reader.ts';
import { predictLarge } from '../../../predictor/threads/predict-large.ts';
import { CLASSES, choices, generate } from './generate.ts';
import { truth, wrongWith } from './oracle.ts';

test('what is predicted from the candidates of a pass is reachable, and all else is said to be undecided', () => {
  let [cutPoints, undecided] = [0, 0];
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(CLASSES)),
      fc.array(fc.nat(0xffff), { minLength: 300, maxLength: 300 }),
      (kind, list) => {
        const trace = readStd([generate(kind, choices(list))]);
        const reachable = new Map(
          truth(trace).map((t) => [`${t.pattern} ${t.first} ${t.remote} ${t.second}`, t.completes]),
        );
        const prediction = predictLarge(trace);
        for (const cutPoint of prediction.cutPoints) {
          const { pattern, first, remote, second, completes, reduced } = cutPoint;
          assert.equal(reachable.get(`${pattern} ${first} ${remote} ${second}`), completes);
          assert.equal(wrongWith(trace, cutPoint.schedule, cutPoint), null);
          assert.equal(wrongWith(trace, reduced.schedule, cutPoint), null);
        }
        assert.equal(prediction.candidates, prediction.cutPoints.length + prediction.undecided);
        cutPoints += prediction.cutPoints.length;
        undecided += prediction.undecided;
      },
    ),
    { numRuns: 1000, seed: 14 },
  );
  assert.ok(
    cutPoints > 1000 && undecided < cutPoints / 10,
    `${cutPoints} cut points, ${undecided} undecided`,
  );
});
