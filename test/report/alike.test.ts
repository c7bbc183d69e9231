import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldBefore } from '../../report/alike.ts';
import type { BugView } from '../../report/view.ts';

const bug = (id: string, test: string, entity: string | null, more: object = {}): BugView =>
  ({ bug: { id, test, entity, class: 'race', conditional: null, ...more } }) as BugView;

const told = (bugs: readonly BugView[], scenarios = true): (readonly [string, string])[] => [
  ...toldBefore(bugs, {
    tests: Object.fromEntries(
      bugs.map(({ bug }) => [bug.test, scenarios ? { spec: bug.test.split(': ', 1)[0]! } : {}]),
    ),
  }),
];

test('of one specification the first about an entity is told in full', () => {
  const bugs = [
    bug('b1', 's/a.ts:store: set(1) ∥ set(2)', 'file'),
    bug('b2', 's/a.ts:store: set(1) ∥ get()', 'file'),
    bug('b3', 's/a.ts:store: get() ∥ del()', 'Store#map'),
    bug('b4', 's/a.ts:store: del() ∥ del()', 'file'),
  ];
  assert.deepEqual(told(bugs), [
    ['b2', 'b1'],
    ['b4', 'b1'],
  ]);
  assert.deepEqual(told(bugs, false), []);
});

test('another specification, another class, and what has no entity is', () => {
  assert.deepEqual(
    told([
      bug('b1', 'a.ts:one: x() ∥ x()', 'file'),
      bug('b2', 'a.ts:two: x() ∥ x()', 'file'),
      bug('b3', 'a.ts:one: x() ∥ y()', 'file', { conditional: 'late' }),
      bug('b4', 'a.ts:one: y() ∥ y()', null),
      bug('b5', 'a.ts:one: y() ∥ z()', null),
    ]),
    [],
  );
});
