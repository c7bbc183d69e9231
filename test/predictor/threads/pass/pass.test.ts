import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStd } from '../../../../data/threads/std-reader.ts';
import type { ThreadEvents, ThreadTrace } from '../../../../data/threads/trace.ts';
import { conflictOf, LockStates } from '../../../../predictor/threads/lock-states.ts';
import { nearOccurrences } from '../../../../predictor/threads/occurrences.ts';
import { Pass, type WitnessedTriple } from '../../../../predictor/threads/pass/pass.ts';
import { newTally } from '../../../../predictor/threads/predict-all.ts';
import { representatives } from '../../../../predictor/threads/representatives.ts';
import { skeletonOf } from '../../../../predictor/threads/skeleton.ts';
import { extent } from '../../../extent.ts';
import { CLASSES, choices, generate, walk } from '../generate.ts';

/** Few program points, so that many accesses share one. */
const traces = (names: readonly string[]) =>
  fc
    .tuple(fc.constantFrom(...names), fc.array(fc.nat(0xffff), { minLength: 300, maxLength: 300 }))
    .map(([name, list]) =>
      generate({ ...CLASSES[name]!, events: 24 }, choices(list)).replace(
        /\|(\d+)$/gm,
        (_, at) => `|${Number(at) % 3}`,
      ),
    );

function passOver(
  { events, names }: ThreadTrace,
  pieces: readonly ThreadEvents[] = [events],
): { readonly candidates: WitnessedTriple[]; readonly isExact: boolean } {
  const pass = new Pass({ threads: names.threads.length, entities: names.entities.length });
  for (const piece of pieces) pass.look(piece);
  for (const piece of pieces) pass.scan(piece);
  const candidates: WitnessedTriple[] = [];
  pass.candidates((pattern, local, rows, from, to) => {
    for (const remote of rows.subarray(from, to)) candidates.push(pass.candidate(pattern, local, remote));
  });
  return { candidates, isExact: pass.isExact };
}

const candidatesOf = (trace: ThreadTrace, pieces?: readonly ThreadEvents[]): WitnessedTriple[] =>
  passOver(trace, pieces).candidates;

const kindOf =
  ({ events: { point } }: ThreadTrace) =>
  ({ pattern, entity, first, remote, second }: Omit<WitnessedTriple, 'cut' | 'points'>): string =>
    [pattern, entity, point[first], point[remote], point[second]].join();

test('every kind that is reachable is a candidate, whatever the trace', () => {
  let [kinds, more] = [0, 0];
  fc.assert(
    fc.property(traces(Object.keys(CLASSES)), (text) => {
      const trace = readStd([text]);
      const kind = kindOf(trace);
      const candidates = new Set(candidatesOf(trace).map(kind));
      const reachable = new Set(representatives(trace, newTally()).map(kind));
      assert.ok(reachable.isSubsetOf(candidates), [...reachable.difference(candidates)].join(' '));
      kinds += reachable.size;
      more += candidates.size - reachable.size;
    }),
    { numRuns: extent(300, 1000), seed: 10 },
  );
  assert.ok(kinds > extent(900, 3000) && more < kinds / 10, `${kinds} kinds, ${more} more candidates`);
});

for (const name of Object.keys(CLASSES))
  test(`a trace with nested locks, none held at an order-only operation: a candidate is reachable: ${name}`, () => {
    let [kinds, exact] = [0, 0];
    fc.assert(
      fc.property(traces([name]), (text) => {
        const trace = readStd([text]);
        const { candidates, isExact } = passOver(trace);
        if (!isExact) return;
        const kind = kindOf(trace);
        assert.deepEqual(
          new Set(candidates.map(kind)),
          new Set(representatives(trace, newTally()).map(kind)),
        );
        exact += 1;
        kinds += candidates.length;
      }),
      { numRuns: extent(400, 1500), seed: 16 },
    );
    assert.ok(exact > extent(80, 300) && kinds > extent(12, 50), `${kinds} kinds in ${exact} traces`);
  });

test('the cut of a candidate is between its accesses, and compatible with the remote access', () => {
  fc.assert(
    fc.property(traces(Object.keys(CLASSES)), (text) => {
      const trace = readStd([text]);
      const skeleton = skeletonOf(trace);
      const states = new LockStates(skeleton);
      const { thread } = trace.events;
      const after = (event: number) => {
        const t = thread[event]!;
        const next = skeleton.program[t]![skeleton.place[event]! + 1];
        const interval =
          next === undefined ? skeleton.base[t + 1]! - skeleton.base[t]! : skeleton.interval[next]!;
        return states.at(t, Math.min(interval, skeleton.interval[event]! + 1));
      };
      for (const { first, cut, second, remote } of candidatesOf(trace)) {
        assert.equal(thread[cut], thread[first]);
        assert.ok(first <= cut && cut < second);
        assert.equal(conflictOf(after(cut), states.at(thread[remote]!, skeleton.interval[remote]!)), null);
      }
    }),
    { numRuns: extent(150, 500), seed: 12 },
  );
});

/** Kinds that locks and must-order allow, by looking at every triple and every point between its local accesses. */
function allowed(trace: ThreadTrace): Set<string> {
  const { base, interval, must, threads, ...skeleton } = skeletonOf(trace);
  const { thread } = trace.events;
  const states = new LockStates({ base, interval, must, threads, ...skeleton });
  /** Whether a thread that has done `at` nodes needs more than `limit` of another's. */
  const needsMore = (t: number, at: number, other: number, limit: number): boolean =>
    at > 0 && must[(base[t]! + at - 1) * threads + other]! > limit;
  const kinds = new Set<string>();
  for (const occurrence of nearOccurrences(trace.events)) {
    const [t, u] = [thread[occurrence.first]!, thread[occurrence.remote]!];
    const there = interval[occurrence.remote]!;
    for (let at = interval[occurrence.first]!; at <= interval[occurrence.second]!; at++)
      if (!needsMore(t, at, u, there) && !needsMore(u, there, t, at))
        if (conflictOf(states.at(t, at), states.at(u, there)) === null) kinds.add(kindOf(trace)(occurrence));
  }
  return kinds;
}

for (const name of ['everything', 're-entrant', 'fork and join, four threads, not nested'])
  test(`on longer traces, the candidates are what locks and must-order allow: ${name}`, () => {
    let kinds = 0;
    const kind = { ...CLASSES[name]!, threads: 5, entities: 4 };
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { minLength: 1200, maxLength: 1200 }), (list) => {
        const text = walk(kind, 200, choices(list)).replace(/\|(\d+)$/gm, (_, at) => `|${Number(at) % 5}`);
        const trace = readStd([text]);
        const wanted = allowed(trace);
        assert.deepEqual(new Set(candidatesOf(trace).map(kindOf(trace))), wanted);
        kinds += wanted.size;
      }),
      { numRuns: extent(60, 200), seed: 15 },
    );
    assert.ok(kinds > 3000, `${kinds} kinds`);
  });

test('the pieces of a trace make no difference', () => {
  fc.assert(
    fc.property(traces(['everything']), fc.nat(20), (text, at) => {
      const trace = readStd([text]);
      const { op, thread, object, point, length } = trace.events;
      const piece = (from: number, to: number): ThreadEvents => ({
        length: to - from,
        op: op.subarray(from, to),
        thread: thread.subarray(from, to),
        object: object.subarray(from, to),
        point: point.subarray(from, to),
      });
      const cut = Math.min(at, length);
      assert.deepEqual(candidatesOf(trace, [piece(0, cut), piece(cut, length)]), candidatesOf(trace));
    }),
    { numRuns: 200, seed: 13 },
  );
});
