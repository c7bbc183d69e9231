import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStd } from '../../../data/threads/std-reader.ts';
import { Op, type ThreadTrace } from '../../../data/threads/trace.ts';
import { merged } from '../../../predictor/threads/merge.ts';
import { newTally, predictAll } from '../../../predictor/threads/predict-all.ts';
import { type Effort, reduceSwitches, switchesOf } from '../../../predictor/threads/reduce.ts';
import { skeletonOf } from '../../../predictor/threads/skeleton.ts';
import { extent } from '../../extent.ts';
import { CLASSES, choices, generate, type TraceClass } from './generate.ts';
import { Machine, type Truth, wrongWith } from './oracle.ts';

const traces = (kind: TraceClass): fc.Arbitrary<ThreadTrace> =>
  fc
    .array(fc.nat(0xffff), { minLength: 12 * kind.events, maxLength: 12 * kind.events })
    .map((list) => readStd([generate(kind, choices(list))]));

/** Every pair of conflicting accesses in a schedule, in order. */
function conflicts({ events }: ThreadTrace, order: readonly number[]): Set<string> {
  const accesses = order.filter((e) => events.op[e]! <= Op.Write);
  const pairs = new Set<string>();
  for (const [i, a] of accesses.entries())
    for (const b of accesses.slice(i + 1))
      if (events.object[a] === events.object[b] && events.op[a]! + events.op[b]! > 0) pairs.add(`${a} ${b}`);
  return pairs;
}

/** The fewest switches of any valid order of the same events with the same conflicts and the same last event. */
function fewest(trace: ThreadTrace, schedule: readonly number[]): number {
  const machine = new Machine(trace);
  const wanted = new Set(schedule);
  const earlier = new Map<number, number[]>();
  for (const pair of conflicts(trace, schedule)) {
    const [a, b] = pair.split(' ').map(Number) as [number, number];
    earlier.set(b, [...(earlier.get(b) ?? []), a]);
  }
  const last = schedule.at(-1);
  const best = new Map<string, number>();
  const go = (state: number[], done: Set<number>, current: number): number => {
    if (done.size === wanted.size) return 0;
    const key = `${state.join()} ${current}`;
    const known = best.get(key);
    if (known !== undefined) return known;
    let least = Number.POSITIVE_INFINITY;
    for (let t = 0; t < machine.threads; t++) {
      const event = machine.enabled(state, t);
      if (event < 0 || !wanted.has(event) || (event === last && done.size < wanted.size - 1)) continue;
      if (earlier.get(event)?.some((e) => !done.has(e))) continue;
      const rest = go(state.with(t, state[t]! + 1), new Set([...done, event]), t);
      least = Math.min(least, rest + (current >= 0 && current !== t ? 1 : 0));
    }
    best.set(key, least);
    return least;
  };
  return go(
    machine.program.map(() => 0),
    new Set(),
    -1,
  );
}

/** The minimum is not looked for. */
const BOUNDED: Effort = { states: 0, beam: 2_000_000 };

/** Reduces every schedule of random traces; `check` looks at each. */
function reduceAll(
  kinds: readonly TraceClass[],
  runs: number,
  effort: Effort | undefined,
  check: (trace: ThreadTrace, before: readonly number[], after: readonly number[], triple: Truth) => void,
): { before: number; after: number } {
  const total = { before: 0, after: 0 };
  for (const kind of kinds)
    fc.assert(
      fc.property(traces(kind), (trace) => {
        const skeleton = skeletonOf(trace);
        for (const found of predictAll(trace, newTally())) {
          const { schedule, before, after } = reduceSwitches(skeleton, found.schedule, effort);
          assert.equal(before, switchesOf(skeleton, found.schedule));
          assert.equal(after, switchesOf(skeleton, schedule));
          total.before += before;
          total.after += after;
          check(trace, Array.from(found.schedule), Array.from(schedule), found);
        }
      }),
      { numRuns: runs, seed: 8 },
    );
  return total;
}

for (const effort of [undefined, BOUNDED])
  test(`a reduced schedule is valid and keeps every conflict (${effort ? 'bounded' : 'exact'} search)`, () => {
    const total = reduceAll(
      Object.values(CLASSES),
      extent(80, 200),
      effort,
      (trace, before, after, triple) => {
        assert.equal(wrongWith(trace, after, triple), null);
        assert.deepEqual(after.toSorted(), before.toSorted());
        assert.deepEqual(conflicts(trace, after), conflicts(trace, before));
      },
    );
    // A reduction that reduces nothing would pass all of the above.
    assert.ok(total.after < 0.8 * total.before, `${total.before} switches, then ${total.after}`);
  });

test('stretches merged in one reading are valid, keep every conflict, and are within one switch of the minimum in 95 %', () => {
  const kinds = Object.values(CLASSES).map((kind) => ({ ...kind, events: 14 }));
  let [all, near] = [0, 0];
  reduceAll(kinds, extent(25, 60), undefined, (trace, before, least, triple) => {
    const { events, names } = trace;
    const after = Array.from(merged(events, Int32Array.from(before), names.threads.length));
    assert.equal(wrongWith(trace, after, triple), null);
    assert.deepEqual(after.toSorted(), before.toSorted());
    assert.deepEqual(conflicts(trace, after), conflicts(trace, before));
    const skeleton = skeletonOf(trace);
    all += 1;
    if (switchesOf(skeleton, after) <= switchesOf(skeleton, least) + 1) near += 1;
  });
  assert.ok(near >= 0.95 * all && all > extent(200, 500), `${near} of ${all}`);
});

for (const effort of [undefined, BOUNDED])
  test(`up to 14 events, ${effort ? 'the bounded search is within one switch of the minimum in 95 %' : 'the minimum'}`, () => {
    const kinds = Object.values(CLASSES).map((kind) => ({ ...kind, events: 14 }));
    let [all, near] = [0, 0];
    reduceAll(kinds, extent(25, 60), effort, (trace, before, after) => {
      const wanted = fewest(trace, before);
      const got = switchesOf(skeletonOf(trace), after);
      all += 1;
      if (got <= wanted + 1) near += 1;
      if (!effort) assert.equal(got, wanted);
    });
    assert.ok(all > extent(200, 500), `${all} schedules`);
    assert.ok(near >= 0.95 * all, `${near} of ${all}`);
  });

test('accesses that one thread alone makes, and reads among reads, do not hold a thread up', () => {
  const unshared = 'A|begin|1\nA|w(x)|1\nB|w(b)|1\nA|w(a)|1\nB|w(b)|1\nA|w(a)|1\nB|r(x)|1\nA|w(x)|1\n';
  const reads =
    'A|begin|1\nA|w(x)|1\nB|r(s)|1\nA|r(s)|1\nB|r(s)|1\nA|r(s)|1\nB|r(x)|1\nA|w(x)|1\nA|w(s)|1\nC|w(s)|1\n';
  for (const text of [unshared, reads]) {
    const trace = readStd([text]);
    const [found] = [...predictAll(trace, newTally())].filter(({ pattern }) => pattern === 'WRW');
    const { before, after } = reduceSwitches(skeletonOf(trace), found!.schedule);
    assert.deepEqual([before, after], [6, 2]);
  }
});
