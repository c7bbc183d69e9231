import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStd } from '../../../data/threads/std-reader.ts';
import { newTally } from '../../../predictor/threads/predict-all.ts';
import { representatives } from '../../../predictor/threads/representatives.ts';
import { CLASSES, choices, generate } from './generate.ts';
import { nearTruth, wrongWith } from './oracle.ts';

/** Few program points, so that many occurrences are alike. */
const traces = fc
  .tuple(
    fc.constantFrom(...Object.values(CLASSES)),
    fc.array(fc.nat(0xffff), { minLength: 300, maxLength: 300 }),
  )
  .map(([kind, list]) =>
    generate(kind, choices(list)).replace(/\|(\d+)$/gm, (_, at) => `|${Number(at) % 2}`),
  );

test('no distinct pattern at three program points is lost', () => {
  let [kinds, alike] = [0, 0];
  fc.assert(
    fc.property(traces, (text) => {
      const trace = readStd([text]);
      const { point, object } = trace.events;
      const kind = ({
        pattern,
        first,
        remote,
        second,
      }: {
        pattern: string;
        first: number;
        remote: number;
        second: number;
      }) => [pattern, object[first], point[first], point[remote], point[second]].join();
      const wanted = nearTruth(trace);
      const found = representatives(trace, newTally());
      assert.deepEqual(new Set(found.map(kind)), new Set(wanted.map(kind)));
      kinds += new Set(wanted.map(kind)).size;
      alike += wanted.length;
      for (const cutPoint of found) {
        assert.equal(wrongWith(trace, cutPoint.schedule, cutPoint), null);
        assert.equal(wrongWith(trace, cutPoint.reduced.schedule, cutPoint), null);
      }
    }),
    { numRuns: 1500, seed: 9 },
  );
  assert.ok(kinds > 1000 && alike > 1.2 * kinds, `${kinds} kinds of ${alike}`);
});

test('alike occurrences are one cut point; other locks at the first or the remote access make another', () => {
  const twice = (text: string): string => text + text;
  const first = twice('A|begin|1\nA|r(x)|2\nA|w(x)|3\nA|end|4\n');
  const alike = representatives(readStd([`${first}B|w(x)|9\nB|w(x)|9\n`]), newTally());
  assert.deepEqual(
    alike.map((c) => [c.pattern, c.alike]),
    [['RWW', 4]],
  );
  const locked = representatives(
    readStd([`${first}B|w(x)|9\nB|acq(l)|8\nB|w(x)|9\nB|rel(l)|8\n`]),
    newTally(),
  );
  assert.deepEqual(
    locked.map((c) => [c.pattern, c.alike]),
    [
      ['RWW', 2],
      ['RWW', 2],
    ],
  );
});

test('the most promising comes first, and says why', () => {
  const text = 'A|begin|1\nA|w(x)|2\nA|w(x)|3\nA|r(y)|4\nA|w(y)|5\nA|end|6\nB|r(x)|9\nB|w(y)|5\n';
  const found = representatives(readStd([text]), newTally());
  assert.deepEqual(
    found.map((c) => c.pattern),
    ['RWW', 'WRW'],
  );
  assert.deepEqual(found[0]!.reasons, [
    'read, then written by both (+3)',
    'the second access follows (+2)',
    'two switches are enough (+2)',
    'same statement in both threads (+1)',
    'accesses close together (+1)',
  ]);
});
