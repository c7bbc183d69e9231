import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Operation, Scenario } from '../../../harnesses/scenario.ts';
import { drawn } from '../../../rescheduler/scenarios/draw.ts';
import { planned, scenarioNamed, toldOf } from '../../../rescheduler/scenarios/plan.ts';
import { restsOf, serialOrders } from '../../../rescheduler/scenarios/serial-orders.ts';

const run = (): void => {};
const spec = (operations: Record<string, Operation<unknown>>, more: Partial<Scenario> = {}): Scenario => ({
  ...{ name: 's', setup: () => null, operations },
  ...more,
});
const names = (of: Scenario): string[] =>
  planned(of, drawn(of, import.meta.filename)).map(({ name }) => name);

test('pairs with equal keys come first, in every way that they can start; triples and sequences last', () => {
  const args = [
    ['a', 1],
    ['a', 2],
    ['b', 1],
  ];
  assert.deepEqual(names(spec({ set: { run, args }, get: { run, args: [['a'], ['b']], reads: true } })), [
    's: set("a", 1) ∥ set("a", 2)',
    's: set("a", 1), 1 ms later set("a", 2)',
    's: set("a", 2), 1 ms later set("a", 1)',
    's: set("a", 1) ∥ get("a")',
    's: set("a", 1), 1 ms later get("a")',
    's: get("a"), 1 ms later set("a", 1)',
    's: set("a", 1) ∥ set("b", 1)',
    's: set("a", 1), 1 ms later set("b", 1)',
    's: set("b", 1), 1 ms later set("a", 1)',
    's: set("a", 1) ∥ get("b")',
    's: set("a", 1), 1 ms later get("b")',
    's: get("b"), 1 ms later set("a", 1)',
    's: set("a", 1) ∥ set("a", 2) ∥ set("a", 1)',
    's: set("a", 1) ∥ set("a", 2) ∥ get("a")',
    's: get("a") ∥ (set("a", 1); set("a", 2))',
    's: (set("a", 1); set("a", 2)) ∥ get("a")',
    's: set("a", 2) ∥ (set("a", 1); get("a"))',
    's: (set("a", 1); get("a")) ∥ set("a", 2)',
    's: set("a", 2) ∥ (get("a"); set("a", 1))',
    's: (get("a"); set("a", 1)) ∥ set("a", 2)',
    's: set("a", 1) ∥ (set("a", 1); set("a", 2))',
    's: (set("a", 1); set("a", 2)) ∥ set("a", 1)',
  ]);
});

test('equal calls start apart in one way only', () => {
  assert.deepEqual(names(spec({ add: { run } })).slice(0, 3), [
    's: add() ∥ add()',
    's: add(), 1 ms later add()',
    's: add() ∥ add() ∥ add()',
  ]);
});

test('what may not overlap does not', () => {
  assert.deepEqual(
    names(spec({ a: { run, reads: true }, b: { run, reads: true }, c: { run, alone: 'c' } })),
    [
      's: a() ∥ c()',
      's: a(), 1 ms later c()',
      's: c(), 1 ms later a()',
      's: b() ∥ c()',
      's: b(), 1 ms later c()',
      's: c(), 1 ms later b()',
      's: a() ∥ (c(); c())',
      's: (c(); c()) ∥ a()',
      's: b() ∥ (c(); c())',
      's: (c(); c()) ∥ b()',
    ],
  );
  assert.deepEqual(names(spec({ close: { run, last: true }, end: { run, last: true } })), []);
});

test('sequences that end their task come first, and nothing follows that', () => {
  const all = names(spec({ write: { run }, rotate: { run, alone: 'rotate' }, end: { run, last: true } }));
  const sequences = all.filter((name) => name.includes(';'));
  assert.deepEqual(sequences.slice(0, 3), [
    's: rotate() ∥ (write(); end())',
    's: (write(); end()) ∥ rotate()',
    's: write() ∥ (rotate(); end())',
  ]);
  assert.equal(sequences.length, 20);
  assert.ok(!sequences.some((name) => /end\(\);/.test(name)));
});

test('no more than wanted', () => {
  assert.equal(names(spec({ a: { run }, b: { run, reads: true } }, { scenarios: 2 })).length, 2 + 2 + 8);
});

test('arguments by fast-check are the same for the same seed', () => {
  const arbitrary = fc.tuple(fc.constantFrom('a', 'b'), fc.nat());
  const of = (seed: number): Scenario => spec({ set: { run, args: arbitrary } }, { seed });
  assert.deepEqual(names(of(1)), names(of(1)));
  assert.notDeepEqual(names(of(1)), names(of(2)));
});

test('a scenario is found by its name', () => {
  const all = [spec({ add: { run } }), spec({ add: { run } }, { name: 's: t' })];
  const found = scenarioNamed(all, import.meta.filename, 's: t: add() ∥ add()');
  assert.equal(found.spec, all[1]);
  assert.throws(
    () => scenarioNamed(all, 'x.ts', 's: sub() ∥ add()'),
    /x.ts: no scenario named 's: sub\(\) ∥ add\(\)'/,
  );
});

test('what others are told', () => {
  const [first] = planned(spec({ add: { run, refuses: ['E'] } }), new Map([['add', [[]]]]));
  assert.deepEqual(toldOf(first!), {
    ...{ name: 's: add() ∥ add()', spec: 's', operations: ['add', 'add'], group: 's: add(), add()' },
    ...{ keys: 'same', refusable: [0, 1], calls: ['add()', 'add()'], start: 'together', sequel: null },
  });
});

test('serial orders, with those of calls that are not refused', () => {
  assert.deepEqual(serialOrders(2, []), [
    [0, 1],
    [1, 0],
  ]);
  assert.deepEqual(serialOrders(2, [1]), [[0, 1], [1, 0], [0]]);
  assert.equal(serialOrders(3, []).length, 6);
  assert.deepEqual(serialOrders(3, [], 2), [
    [0, 1, 2],
    [1, 0, 2],
    [1, 2, 0],
  ]);
  // Where the first one is refused the second is called all the same.
  assert.deepEqual(serialOrders(3, [1], 2).slice(3), [
    [0, 2],
    [2, 0],
  ]);
  assert.deepEqual(restsOf([2, 0, 1]), [[], [1], [2], [1, 2]]);
});

test('calls are about one thing, or about several', () => {
  const args = [
    ['a', 1],
    ['a', 2],
    ['b', 1],
  ];
  const of = spec({ set: { run, args }, clear: { run } });
  const told = planned(of, drawn(of, import.meta.filename)).map(toldOf);
  const keysOf = (name: string) => told.find((each) => each.name === name)?.keys;
  assert.equal(keysOf('s: set("a", 1) ∥ set("a", 2)'), 'same');
  assert.equal(keysOf('s: set("a", 1) ∥ set("b", 1)'), 'other');
  assert.equal(keysOf('s: set("a", 1) ∥ clear()'), 'same');
});
