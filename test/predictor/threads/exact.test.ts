/** Prediction against brute force: reachable if and only if predicted, on random traces of every class. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { readStd } from '../../../data/threads/std-reader.ts';
import { newTally, predictAll } from '../../../predictor/threads/predict-all.ts';
import { extent } from '../../extent.ts';
import { CLASSES, choices, generate, type TraceClass } from './generate.ts';
import { leastOrder, type Truth, truth, truthByEnumeration, wrongWith } from './oracle.ts';

const RUNS = extent(500, 800);
/** The same traces every time: what is promised is not left to chance. */
const SEED = 4;

const traces = (kind: TraceClass): fc.Arbitrary<string> =>
  fc
    .array(fc.nat({ max: 0xffff }), { minLength: kind.events, maxLength: 8 * kind.events, size: 'max' })
    .map((list) => generate(kind, choices(list)));

const byEvents = (a: Truth, b: Truth): number =>
  a.first - b.first || a.second - b.second || a.remote - b.remote;

/** What is predicted, as the oracle says it. */
function predicted(text: string): {
  found: Truth[];
  schedules: number[][];
  triples: number;
  undecided: number;
} {
  const tally = newTally();
  const all = [...predictAll(readStd([text]), tally)].sort(byEvents);
  return {
    found: all.map(({ pattern, first, remote, second, completes }) => ({
      pattern,
      first,
      remote,
      second,
      completes,
    })),
    schedules: all.map(({ schedule }) => Array.from(schedule)),
    triples: tally.triples,
    undecided: tally.undecided,
  };
}

describe('reachable if and only if predicted; every schedule is valid and the least of its events', () => {
  for (const [name, kind] of Object.entries(CLASSES))
    test(name, () => {
      let [reachable, unreachable, incomplete] = [0, 0, 0];
      fc.assert(
        fc.property(traces(kind), (text) => {
          const trace = readStd([text]);
          const { found, schedules, triples, undecided } = predicted(text);
          assert.equal(undecided, 0);
          const wanted = truth(trace).sort(byEvents);
          assert.deepEqual(found, wanted);
          for (const [at, triple] of wanted.entries()) {
            assert.equal(wrongWith(trace, schedules[at]!, triple), null);
            assert.deepEqual(schedules[at], leastOrder(trace, schedules[at]!, triple));
          }
          reachable += wanted.length;
          unreachable += triples - wanted.length;
          incomplete += wanted.filter((triple) => !triple.completes).length;
        }),
        { numRuns: RUNS, seed: SEED },
      );
      // Traces on which everything is reachable, or nothing, would prove nothing.
      assert.ok(
        reachable > RUNS * 0.6 && unreachable > RUNS / 8,
        `${reachable} reachable, ${unreachable} not`,
      );
      assert.ok(incomplete > 0, 'no pattern whose second access cannot follow');
    });
});

test('the graph of states says what running every interleaving says', () => {
  let compared = 0;
  for (const [name, kind] of Object.entries(CLASSES))
    fc.assert(
      fc.property(traces({ ...kind, events: kind.threads > 2 ? 9 : 11 }), (text) => {
        const trace = readStd([text]);
        const literal = truthByEnumeration(trace);
        if (literal === null) return;
        compared += literal.length;
        assert.deepEqual(truth(trace), literal, name);
      }),
      { numRuns: extent(25, 60), seed: SEED },
    );
  assert.ok(compared > extent(80, 200), `${compared} triples`);
});

test('traces of up to 40 events: fewer than one triple in a thousand is undecided', () => {
  let [triples, undecided] = [0, 0];
  for (const kind of Object.values(CLASSES))
    fc.assert(
      fc.property(traces({ ...kind, events: 40 }), (text) => {
        const tally = newTally();
        for (const _ of predictAll(readStd([text]), tally));
        triples += tally.triples;
        undecided += tally.undecided;
      }),
      { numRuns: extent(50, 100), seed: SEED },
    );
  assert.ok(triples > extent(5000, 10_000), `${triples} triples`);
  assert.ok(undecided < triples / 1000, `${undecided} of ${triples}`);
});

test('saturation leaves little to decide: four choices are enough for all but one triple in a thousand', () => {
  let [triples, undecided] = [0, 0];
  for (const kind of Object.values(CLASSES))
    fc.assert(
      fc.property(traces({ ...kind, events: 32 }), (text) => {
        const tally = newTally();
        for (const _ of predictAll(readStd([text]), tally, 4));
        triples += tally.triples;
        undecided += tally.undecided;
      }),
      { numRuns: extent(50, 100), seed: SEED },
    );
  assert.ok(triples > extent(2500, 5000), `${triples} triples`);
  assert.ok(undecided < triples / 1000, `${undecided} of ${triples}`);
});
