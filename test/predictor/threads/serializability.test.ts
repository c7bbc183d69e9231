import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readStd } from '../../../data/threads/std-reader.ts';
import type { ThreadEvents } from '../../../data/threads/trace.ts';
import { transactionsOf } from '../../../predictor/threads/occurrences.ts';
import { newTally, predictAll } from '../../../predictor/threads/predict-all.ts';
import { conflictCycle } from '../../../predictor/threads/serializability.ts';
import { CLASSES, choices, generate } from './generate.ts';

const isAccess = (op: number): boolean => op <= 1;
const conflict = ({ op, object, thread }: ThreadEvents, a: number, b: number): boolean =>
  thread[a] === thread[b] || (object[a] === object[b] && op[a]! + op[b]! > 0);

/** Accesses of a sequence with their transactions: an access outside is one of its own. */
function named(events: ThreadEvents, order: readonly number[]) {
  const blocks = transactionsOf(events);
  return order
    .filter((e) => isAccess(events.op[e]!))
    .map((event) => ({ event, tx: blocks[event]! < 0 ? `alone ${event}` : `block ${blocks[event]}` }));
}

/** The conflict graph: every pair of accesses, closed transitively; a cycle is a node that reaches itself. */
function hasCycle(events: ThreadEvents, order: readonly number[]): boolean {
  const accesses = named(events, order);
  const reach = new Map<string, Set<string>>(accesses.map(({ tx }) => [tx, new Set()]));
  for (const [i, a] of accesses.entries())
    for (const b of accesses.slice(i + 1))
      if (a.tx !== b.tx && conflict(events, a.event, b.event)) reach.get(a.tx)!.add(b.tx);
  for (const via of reach.keys())
    for (const from of reach.values()) if (from.has(via)) for (const to of reach.get(via)!) from.add(to);
  return [...reach].some(([tx, to]) => to.has(tx));
}

/** From the definition: some order of whole transactions keeps the order of every conflicting pair. */
function isSerializable(events: ThreadEvents, order: readonly number[]): boolean {
  const accesses = named(events, order);
  const all = [...new Set(accesses.map(({ tx }) => tx))];
  const fits = (rank: Map<string, number>): boolean =>
    accesses.every((a, i) =>
      accesses
        .slice(i + 1)
        .every(
          (b) => a.tx === b.tx || !conflict(events, a.event, b.event) || rank.get(a.tx)! < rank.get(b.tx)!,
        ),
    );
  const permute = (left: string[], taken: string[]): boolean =>
    left.length === 0
      ? fits(new Map(taken.map((tx, i) => [tx, i])))
      : left.some((tx) =>
          permute(
            left.filter((other) => other !== tx),
            [...taken, tx],
          ),
        );
  return permute(all, []);
}

const traces = fc
  .tuple(
    fc.constantFrom(...Object.values(CLASSES)),
    fc.array(fc.nat(0xffff), { minLength: 200, maxLength: 200 }),
  )
  .map(([kind, list]) => readStd([generate(kind, choices(list))]));

test('a cycle is found if and only if the conflict graph has one', () => {
  let [cyclic, serial] = [0, 0];
  fc.assert(
    fc.property(traces, ({ events }) => {
      const order = Array.from({ length: events.length }, (_, i) => i);
      const wanted = hasCycle(events, order);
      assert.equal(conflictCycle(events, order) !== null, wanted);
      if (wanted) cyclic += 1;
      else serial += 1;
      if (new Set(named(events, order).map(({ tx }) => tx)).size <= 5)
        assert.equal(isSerializable(events, order), !wanted);
    }),
    { numRuns: 2000, seed: 6 },
  );
  assert.ok(cyclic > 100 && serial > 100, `${cyclic} cyclic, ${serial} serial`);
});

test('neighbours of a cycle conflict, all around', () => {
  const { events } = readStd([
    'A|begin|1\nA|r(x)|1\nB|begin|1\nB|w(x)|1\nB|w(y)|1\nB|end|1\nA|r(y)|1\nA|end|1\n',
  ]);
  const cycle = conflictCycle(events, [0, 1, 2, 3, 4, 5, 6, 7]);
  assert.deepEqual(
    cycle?.map((tx) => [...tx]).sort((a, b) => a[0]! - b[0]!),
    [
      [1, 6],
      [3, 4],
    ],
  );
});

test('every predicted occurrence that completes is unserializable', () => {
  let checked = 0;
  fc.assert(
    fc.property(traces, (trace) => {
      for (const { completes, schedule } of predictAll(trace, newTally()))
        if (completes) {
          assert.notEqual(conflictCycle(trace.events, schedule), null);
          assert.ok(hasCycle(trace.events, Array.from(schedule)));
          checked += 1;
        }
    }),
    { numRuns: 500, seed: 7 },
  );
  assert.ok(checked > 1000, `${checked} checked`);
});
